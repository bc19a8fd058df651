"""Reads bodies from standard input as models of both generated clients, and prints what was read or why it was not.

The folder of the clients is the first argument, as for `read_connect_views.py`.
"""

import json
import sys

sys.path.insert(0, sys.argv[1])

import attrs_client.models
import pydantic_models

attrs = {name.lower(): model for name, model in vars(attrs_client.models).items()}


def as_attrs(name, body):
    return attrs[name.lower()].from_dict(body).to_dict()


def as_pydantic(name, body):
    model = getattr(pydantic_models, name)
    return model.model_validate(body).model_dump(mode="json", by_alias=True)


def read(name, body, reader):
    try:
        return json.dumps(reader(name, body))
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        return f"{type(problem).__name__}: {problem}"


print(
    json.dumps(
        [
            [name, read(name, body, as_attrs), read(name, body, as_pydantic)]
            for name, body in json.load(sys.stdin)
        ]
    )
)
