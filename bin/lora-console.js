#!/usr/bin/env node
// A clone runs the sources; the package has JavaScript (server/scripts/write-package.ts).
import { existsSync } from 'node:fs'

const needed = 26
if (Number.parseInt(process.versions.node, 10) < needed) {
  const advice = 'npx lora-console takes the one that is installed with it'
  process.stderr.write(
    `lora-console needs Node ${needed}, and this is ${process.version}: ${advice}.\n`,
  )
  process.exit(1)
}

const sources = new URL('../server/lora-console.ts', import.meta.url)
await import(existsSync(sources) ? sources : new URL('../server/lora-console.js', import.meta.url))
