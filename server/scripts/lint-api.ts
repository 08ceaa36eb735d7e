/**
 * `npm run lint:api` reads the served OpenAPI document and `docs/generated/openapi.json` by the recommended rules of Redocly and of Spectral,
 * and exits with 1 if one of them finds an error. The two are no dependencies of the project: 174
 * packages, of which one reports its installation to its maker (docs/decisions/0039-clients.md). They
 * are installed next to the project's own packages, without scripts. If that fails, so does this.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'
import { surfacePath } from './api-surface.ts'

const linters = {
  '@redocly/openapi-core': '2.64.0',
  '@stoplight/spectral-core': '1.24.1',
  '@stoplight/spectral-rulesets': '1.23.1',
}

/** Milliseconds for the installation, which takes 12 s if the registry answers. */
const patience = 90_000

interface Finding {
  isError: boolean
  rule: string
  text: string
}

interface Redocly {
  createConfig(config: { extends: string[] }): Promise<unknown>
  lintFromString(given: { source: string; absoluteRef: string; config: unknown }): Promise<
    {
      severity: string
      ruleId: string
      message: string
      location: readonly { pointer?: string }[]
    }[]
  >
}

interface Spectral {
  setRuleset(ruleset: unknown): void
  run(
    document: unknown,
  ): Promise<
    { severity: number; code: string | number; message: string; path: readonly unknown[] }[]
  >
}

const document = referenceDocument(routes, {
  publicUrl: 'https://lora.example.test',
  basePath: '/v1',
})

/** Returns what finds the installed packages. */
function install(): NodeJS.Require {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/lint-api')
  const manifest = join(folder, 'package.json')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true}\n')
  const packages = Object.entries(linters).map(([name, version]) => `${name}@${version}`)
  const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // On Windows npm is a script, which only a shell starts.
  const shell = process.platform === 'win32'
  const options = { cwd: folder, stdio: 'inherit', shell, timeout: patience } as const
  execFileSync('npm', ['install', ...flags, ...packages], options)
  return createRequire(manifest)
}

async function askRedocly(
  load: NodeJS.Require,
  source: string,
  rules: 'recommended' | 'spec',
): Promise<Finding[]> {
  // Only `import` finds it: it has no CommonJS form.
  const path = load.resolve('@redocly/openapi-core')
  const { createConfig, lintFromString } = (await import(path)) as Redocly
  const config = await createConfig({ extends: [rules] })
  const given = { source, absoluteRef: 'openapi.json', config }
  const found = await lintFromString(given)
  return found.map(({ severity, ruleId, message, location }) => ({
    isError: severity === 'error',
    rule: `Redocly ${ruleId}`,
    text: `${message} ${location[0]?.pointer ?? ''}`,
  }))
}

/**
 * A record of the catalogue has members that are named `example` and `format`: Spectral takes the
 * records in the examples for schemas.
 */
const mistaken = /^paths\/\/catalogue(\/\{id\})?\/get\/responses\/200\/.*\/examples\//

async function askSpectral(load: NodeJS.Require): Promise<Finding[]> {
  const core = load('@stoplight/spectral-core') as { Spectral: new () => Spectral }
  const { oas } = load('@stoplight/spectral-rulesets') as { oas: unknown }
  const spectral = new core.Spectral()
  spectral.setRuleset({ extends: [[oas, 'recommended']] })
  const found = await spectral.run(structuredClone(document))
  return found
    .map(({ severity, code, message, path }) => ({
      isError: severity === 0,
      rule: `Spectral ${code}`,
      text: `${message} ${path.join('/')}`,
      place: path.join('/'),
    }))
    .filter(
      ({ rule, place }) => !(rule === 'Spectral oas3-valid-schema-example' && mistaken.test(place)),
    )
}

const load = install()
const findings = [
  ...(await askRedocly(load, JSON.stringify(document), 'recommended')),
  // Without prose it holds what OpenAPI itself asks for.
  ...(await askRedocly(load, readFileSync(surfacePath, 'utf8'), 'spec')),
  ...(await askSpectral(load)),
]
const faults = findings.filter(({ isError }) => isError)
for (const { rule, text } of faults) console.error(`${rule}: ${text}`)
const others = findings.filter(({ isError }) => !isError)
const rules = [...new Set(others.map(({ rule }) => rule))]
console.log(`${faults.length} errors, ${others.length} warnings (${rules.join(', ') || 'none'})`)
if (faults.length > 0) process.exitCode = 1
