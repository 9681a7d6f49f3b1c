"""The WSGI application with all its routes. It uses games only through `solver.game.Game`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask

from api import (
    access,
    errors,
    metrics,
    openapi,
    proxies,
    responses,
    routes_games,
    routes_jobs,
    routes_matches,
    routes_questions,
    tracing,
)
from api.config import Config
from api.page import files
from api.readiness import Readiness
from api.search_pool import SearchPool


class _App(Flask):
    """Calls its functions as they are: Flask looks at each, in every request, whether it is a coroutine."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def create_app(
    config: Config | None = None,
    searches: SearchPool | None = None,
    readiness: Readiness | None = None,
    jobs: metrics.JobStore | None = None,
) -> Flask:
    """Create the Flask application; `searches` runs the searches, and `jobs` reports the state of the job store.

    Until `readiness` reports a game as ready, questions about it are refused. Without `readiness`, the first
    question about a game waits until the game is loaded.
    """
    config = config or Config.from_environ()
    searches = searches or SearchPool(config)
    readiness = readiness or Readiness()
    app = _App(__name__, static_folder=None)
    app.wsgi_app = proxies.behind(app.wsgi_app, config.proxies)  # type: ignore[method-assign]
    app.config["MAX_CONTENT_LENGTH"] = config.max_body_bytes
    app.url_map.merge_slashes = False  # addresses are exact: no redirects that lose a POST's body
    jobs = jobs or metrics.JobStore()
    counts = metrics.Metrics(searches, readiness, jobs)
    errors.register(app)
    tracing.trace(app, counts)
    app.after_request(responses.packed)
    access.guard(app, config)
    access.admit(app, config)
    app.register_blueprint(routes_questions.blueprint(config, searches, readiness, counts))
    app.register_blueprint(routes_matches.blueprint(config, searches, readiness))
    app.register_blueprint(routes_games.blueprint(config, searches, readiness))
    app.register_blueprint(routes_jobs.blueprint(config, searches, jobs))
    app.register_blueprint(metrics.blueprint(config, counts, searches, readiness))
    app.register_blueprint(openapi.blueprint(config))
    app.register_blueprint(files.blueprint(config, searches))
    return app
