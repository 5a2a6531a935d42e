"""Fields of traces, and the names that lead to them: trace["car.chassis.psd0.distance"], or trace.car.chassis.psd0.distance."""

from __future__ import annotations

import fnmatch
import operator
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Union

from .arrays import needed, read_only
from .errors import UnknownName, reading

if TYPE_CHECKING:
    from .trace import Trace


class Field:
    """The values of one field in all rows, read on first use. NumPy accepts it as an array; where NumPy is installed, operators
    and the methods of arrays (`field.max()`) work as well."""

    def __init__(self, trace: Trace, name: str, device: int, field: int) -> None:
        described = trace.document["devices"][device]["fields"][field]
        self._trace, self._device, self._field = trace, device, field
        self._values: Optional[Any] = None
        self.name: str = name
        self.unit: str = described.get("unit", "")
        self.frame: str = described.get("frame", "")
        self.type: str = described["type"]

    @property
    def values(self) -> Any:
        """An array of 64-bit floats (for whole numbers as well), or a list of texts."""
        if self._values is None:
            rows = len(self._trace.steps)
            with reading(self._trace.path, self.name):
                values = self._trace._source.column(self._device, self._field)
                if len(values) != rows:
                    raise ValueError("%d values in %d rows" % (len(values), rows))
            self._values = values if isinstance(values, list) else read_only(values)
        return self._values

    @property
    def time(self) -> Any:
        """The time (s) of each value."""
        return self._trace.time

    @property
    def device(self) -> str:
        return str(self._trace.document["devices"][self._device]["name"])

    def at(self, time: float) -> Any:
        """The value of the last row at this time (s) or before."""
        import bisect

        place = bisect.bisect_right(self._trace.time, time + 1e-9) - 1
        if place < 0:
            raise IndexError("the trace begins after %r s" % time)
        return self.values[place]

    def to_pandas(self) -> Any:
        """A pandas.Series over time."""
        pandas = needed("pandas", "Field.to_pandas")
        series = pandas.Series(self.values, index=pandas.Index(self._trace.time, name="time"), name=self.name)
        series.attrs.update(unit=self.unit, frame=self.frame)
        return series

    def __len__(self) -> int:
        return len(self._trace.steps)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __getitem__(self, place: Any) -> Any:
        return self.values[place]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        made = needed("numpy", "an array").asarray(self.values, dtype=dtype)
        return made.copy() if copy else made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        node = self._trace._node(self.name)
        if node is not None and name in node:
            return node[name]
        try:
            return getattr(self.values, name)
        except AttributeError:
            raise UnknownName("field or method", "%s.%s" % (self.name, name), self._trace.names) from None

    def __repr__(self) -> str:
        unit = "" if self.unit in ("", "1") else " [%s]" % self.unit
        return "<%s%s%s, %d values>" % (self.name, unit, " in %s" % self.frame if self.frame else "", len(self))

    def _repr_html_(self) -> str:
        from .show import field_html

        return field_html(self)


def _binary(name: str) -> Callable[[Field, Any], Any]:
    compute = getattr(operator, name)

    def apply(self: Field, other: Any) -> Any:
        return compute(needed("numpy", "arithmetic").asarray(self), needed("numpy", "arithmetic").asarray(other))

    return apply


def _reflected(name: str) -> Callable[[Field, Any], Any]:
    compute = getattr(operator, name)

    def apply(self: Field, other: Any) -> Any:
        return compute(needed("numpy", "arithmetic").asarray(other), needed("numpy", "arithmetic").asarray(self))

    return apply


for _name in ("add", "sub", "mul", "truediv", "pow", "mod", "floordiv"):
    setattr(Field, "__%s__" % _name, _binary(_name))
    setattr(Field, "__r%s__" % _name, _reflected(_name))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Field, "__%s__" % _name, _binary(_name))
for _name in ("neg", "abs"):
    setattr(Field, "__%s__" % _name, lambda self, _compute=getattr(operator, _name): _compute(needed("numpy", "arithmetic").asarray(self)))


class Node:
    """What has fields below it: a robot, a part, a device."""

    def __init__(self, trace: Trace, name: str) -> None:
        self._trace = trace
        self._name = name

    @property
    def kind(self) -> str:
        """The element of the robot file: "PSDSensor"; empty without values of its own."""
        for device in self._trace.document["devices"]:
            if device["name"] == self._name:
                return str(device.get("kind", ""))
        return ""

    @property
    def fields(self) -> list[Field]:
        """Its own, without those of its parts."""
        return [f for f in self._trace.fields if f.device == self._name]

    def _below(self, name: str) -> str:
        return "%s.%s" % (self._name, name) if self._name else name

    def __contains__(self, name: str) -> bool:
        whole = self._below(name)
        return whole in self._trace._places or self._trace._node(whole) is not None

    def __getitem__(self, name: str) -> Union[Field, Node]:
        return self._trace[self._below(name)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._trace[self._below(name)]

    def __dir__(self) -> list[str]:
        start = len(self._name) + 1 if self._name else 0
        below = {n[start:].partition(".")[0] for n in self._trace.names if n.startswith(self._name + "." if self._name else "")}
        return sorted(below | {"kind", "fields"})

    def __iter__(self) -> Iterator[str]:
        return (n for n in self.__dir__() if n in self)

    def __repr__(self) -> str:
        kind = self.kind
        return "<%s%s: %s>" % (self._name, " (%s)" % kind if kind else "", ", ".join(self))

    def _repr_html_(self) -> str:
        from .show import node_html

        return node_html(self._trace, self._name)


def matching(pattern: str, names: list[str]) -> list[str]:
    """The names that match `*` (dots included) and `?`."""
    escaped = pattern.replace("[", "[[]")
    return [name for name in names if fnmatch.fnmatchcase(name, escaped)]
