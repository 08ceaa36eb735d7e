#!/usr/bin/env node
// A clone runs the sources; the package has JavaScript (server/scripts/write-package.ts).
import { existsSync } from 'node:fs'

const sources = new URL('../server/lora-console.ts', import.meta.url)
await import(existsSync(sources) ? sources : new URL('../server/lora-console.js', import.meta.url))
