"""A small game of every kind of pile that the page draws in its own way, in which the first player
can win."""

KINDS = {
    "nim": "nim:1,3",
    "take": "take{1,3,4}:8",
    "kayles": "kayles:5",
    "octal": "octal{0.77}:4,2",
    "dawson-kayles": "dawson-kayles:7",
    "lasker": "lasker:4",
    "grundy": "grundy:7,3",
    "wythoff": "wythoff:(3,4)",
    "cookie": "cookie:(1,3,3)",
    "graph": "graph{a->b,c;b->c,d;c->d,e;d->e;e}:a",
    "entries": "rules{n->n-k:k>=1&2*k<=n}:9",
    "pair": "rules{(a,b)->(a-k,b):k>=1&k<=a;(a,b)->(a,b-k):k>=1&k<=b}:(2,3)",
    "board": "cram:ooo_ooo",
    "bar": "chomp:(3,3)",
    "strip": "welter:(1,4)",
    "moore": "moore{2}:(1,2,3)",
    "node-kayles": "node-kayles{a->b;b->c;c->d;d->a,e}:31",
    "arc-kayles": "arc-kayles{a->b;b->c;c->d}:15",
    "hackenbush": "hackenbush{ground->a;a->b,c;b->c;ground->d}:31",
    "cells": "notakto:xoo_ooo_oox",
    "hex": "hex{0.8F}:6",
    "huge": "nim:1000000000000000000,2",
    "ordinal": "nim:(w+1),1",
}

# Kinds that the drawing does not show completely: their first move is made by text.
AS_TEXT = {"huge", "ordinal"}
