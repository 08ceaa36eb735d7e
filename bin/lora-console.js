#!/usr/bin/env node
// The command of the package. Node strips no types below node_modules (its documentation, "Modules:
// TypeScript"), so the published package has JavaScript, which `npm pack` makes of the sources. A
// clone runs the sources themselves.
import { existsSync } from 'node:fs'

const sources = new URL('../server/lora-console.ts', import.meta.url)
await import(
  existsSync(sources) ? sources : new URL('../dist/server/lora-console.js', import.meta.url)
)
