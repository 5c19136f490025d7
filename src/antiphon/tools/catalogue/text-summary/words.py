"""Stopwords, and abbreviations whose full stop ends no sentence."""

from __future__ import annotations

_COMMON = """
about above after again against all also although always among and another any are around because
been before being below between both but can cannot could did does doing done down during each
either even ever every few for from further get gets got had has have having her here hers
herself him himself his how however into its itself just less like made make makes many may
might more most much must neither never nor not now off often once one only onto other others
our ours out over own per perhaps put rather said same say says see seem seems shall she should
since some still such take than that the their theirs them themselves then there therefore these
they this those though through thus too toward two under until upon use used uses very was way
were what when where whether which while who whom whose why will with within without would yes
yet you your yours yourself it's don't doesn't didn't isn't aren't wasn't weren't can't won't
"""
STOP_WORDS = frozenset(_COMMON.split())
_SHORT = """
mr mrs ms dr prof st jr sr vs etc e.g i.e eg ie cf fig no vol pp approx dept est inc ltd co corp
jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k a.m p.m
"""
ABBREVIATIONS = frozenset(_SHORT.split())
