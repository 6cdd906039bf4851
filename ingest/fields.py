# SPDX-License-Identifier: Apache-2.0
"""What the records of all data sets share: strict fields, and errors that name the field."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, ValidationError

from graph.errors import RecordError

R = TypeVar("R", bound="DataRecord")

MAX_KEY = 200
"""Characters that a key may have: keys are indexed, and no index takes a novel."""


class DataRecord(BaseModel):
    """A row of a data file, or an object within one; `"1"` and `true` are no integers."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty or blank")
    return text


Text = Annotated[str, AfterValidator(_not_blank)]
"""Text that says something; outer white space is kept."""
Key = Annotated[str, Field(max_length=MAX_KEY), AfterValidator(_not_blank)]
"""A key of the data set's own."""
Texts = Annotated[tuple[Text, ...], Strict(False)]
"""A JSON list of texts."""
Index = Annotated[int, Field(ge=0, lt=2**63)]
"""A whole number from 0 that a store can hold."""


def validate(model: type[R], row: dict[str, Any]) -> R:
    """Turns a JSON object into a record.

    Raises:
        RecordError: it breaks a rule of the data set; names the first field that does.
    """
    try:
        return model.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])[:MAX_KEY]
        raise RecordError(_reason(first["type"], first["msg"]), field=field) from error


def _reason(kind: str, message: str) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "is not a field of this data set"
    return message.removeprefix("Value error, ").removeprefix("Input ")
