"""The WSGI application: routes put together. It knows no game: it asks `solver.game.Game`."""

from __future__ import annotations

from flask import Flask

from api.calls import batches, decks, jobs, matches, puzzles, questions, solving, tables
from api.calls.following import Followers
from api.config import Config
from api.http import admission, errors, guard, metrics, request_log, tracing
from api.http.searches import Searches
from api.openapi import docs
from api.page import routes
from api.starting.readiness import Readiness


def create_app(
    config: Config | None = None, searches: Searches | None = None, readiness: Readiness | None = None
) -> Flask:
    """The application with these limits; `searches` is the gate, which a server also uses to end searches.

    Questions about a game that `readiness` calls unready are put off. Without it the first question about a game
    waits until the game is loaded.
    """
    config = config or Config.from_environ()
    searches = searches or Searches(config.searches, config.waiting)
    readiness = readiness or Readiness()
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = config.max_body_bytes
    app.url_map.merge_slashes = False  # an address is what it is: no redirects that lose a POST's body
    counts = metrics.Metrics(searches, readiness)
    errors.register(app)
    counts.count(app)
    tracing.register(app)
    request_log.register(app)
    guard.register(app, config)
    admission.register(app, config, searches)
    app.register_blueprint(questions.blueprint(config, searches, readiness, counts))
    app.register_blueprint(batches.blueprint(config, searches, readiness, counts))
    app.register_blueprint(solving.blueprint(config, searches, readiness))
    app.register_blueprint(matches.blueprint(config, searches, readiness))
    app.register_blueprint(puzzles.blueprint())
    app.register_blueprint(decks.blueprint())
    app.register_blueprint(jobs.blueprint(config, Followers(max(2, config.waiting // 8), searches.stopping)))
    app.register_blueprint(tables.blueprint(config, readiness, searches))
    app.register_blueprint(metrics.blueprint(counts, searches, readiness))
    app.register_blueprint(docs.blueprint(config))
    app.register_blueprint(routes.blueprint())
    return app
