"""What the API's document says of positions as callers send them: what may be text, what may be left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

CARD_LIST: JsonSchemaValue = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}
DEALT: JsonSchemaValue = {
    "description": "The cards dealt, in place of those left: a list or, with every card known, one a seat.",
    "anyOf": [
        {"type": "array", "items": {"anyOf": [{"type": "string"}, CARD_LIST]}},
        {"type": "string"},
    ],
}


class OrText:
    """The annotation of a list that may be sent as one text, as it stands in a line."""

    def __init__(self, example: str) -> None:
        self._example = example

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [handler(schema), {"type": "string", "examples": [self._example]}]}


class Sent(BaseModel):
    """Mixed into the models of positions and records.

    `inferred` are keys that may be left out where they follow from others, and `instead` has the schemas of the
    keys that may be given in place of others, which are no fields.
    """

    inferred: ClassVar[frozenset[str]] = frozenset()
    instead: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        found = handler(schema)
        own = handler.resolve_ref_schema(found)
        own["required"] = [key for key in own.get("required", ()) if key not in cls.inferred]
        if cls.instead:
            own["properties"] = {**own["properties"], **cls.instead}
        return found
