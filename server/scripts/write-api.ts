/**
 * `npm run api` writes `docs/generated/openapi.json`, the OpenAPI document without prose and examples. It
 * refuses changes that break clients, unless `--accept-breaks` is given. With `--check` it only
 * compares, and exits with 1 when the file is stale or clients would break.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { OpenApiDocument } from '../src/http/openapi.ts'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'
import { findBreaks } from './api-changes.ts'
import { renderDocument, surfacePath, surfacePlace } from './api-surface.ts'

const text = renderDocument(referenceDocument(routes, surfacePlace))
const known = existsSync(surfacePath) ? readFileSync(surfacePath, 'utf8') : text
const breaks = findBreaks(JSON.parse(known) as OpenApiDocument, JSON.parse(text) as OpenApiDocument)
const isAccepted = process.argv.includes('--accept-breaks')
for (const each of breaks) console.error(each)
if (breaks.length > 0 && !isAccepted) {
  console.error('These changes break clients (docs/clients.md, "What may change").')
  process.exitCode = 1
} else if (process.argv.includes('--check')) {
  if (text !== known) {
    console.error('docs/generated/openapi.json is stale: run "npm run api" and commit the file.')
    process.exitCode = 1
  }
} else {
  writeFileSync(surfacePath, text)
}
