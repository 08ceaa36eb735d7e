import { setFlagsFromString } from 'node:v8'

/*
 * V8 moves the creation of objects that often survive a collection into the old space. Here those are
 * the messages that wait for their batch, which live 50 ms and keep all that they refer to alive until
 * the old space is collected: 60 % of what survived a collection was such garbage (bench/README.md,
 * "What each step gave"). This module is imported before the code that makes them.
 */
setFlagsFromString('--no-allocation-site-pretenuring')
