import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { settings } from '../src/settings.ts'

/** What `deploy/` holds for Kubernetes and Debian. `npm run check:deb` installs the package. */

const deploy = join(import.meta.dirname, '../../deploy')
const chart = join(deploy, 'helm/lora-fleet-console')
const hasHelm = spawnSync('helm', ['version']).status === 0

async function readValues(): Promise<Record<string, unknown>> {
  const values = parse(await readFile(join(chart, 'values.yaml'), 'utf8'))
  return { ...values, publicUrl: 'https://lora.example.test' }
}

test('the chart takes its own values, and refuses what it does not know', async () => {
  const schema = JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8'))
  const check = new Ajv({ strict: false }).compile(schema)
  const isRight = (values: object): boolean => check(values)
  const values = await readValues()
  assert.ok(isRight(values), JSON.stringify(check.errors))
  const wrong = [
    { publicUrl: 'lora.example.test' },
    { replica: 3 },
    { replicas: 0 },
    // A secret belongs into the Secret, not into a Deployment that everybody may read.
    { settings: { SECRET_KEY: 'x'.repeat(32) } },
    { settings: { DATABASE_URL: 'postgres://lora:password@db.example.test/lora' } },
  ]
  for (const change of wrong) assert.ok(!isRight({ ...values, ...change }), JSON.stringify(change))
  assert.ok(isRight({ ...values, settings: { API_RATE_LIMIT: 1_000_000 } }))
})

test('the chart renders with everything on', { skip: !hasHelm && 'no helm' }, async () => {
  const on = ['ingress.enabled=true', 'gateway.enabled=true', 'gateway.name=edge']
  const more = ['autoscaling.enabled=true', 'metrics.podMonitor=true']
  const words = ['publicUrl=https://lora.example.test', ...on, ...more].flatMap((one) => [
    '--set',
    one,
  ])
  const { stdout } = await promisify(execFile)('helm', ['template', 'lora', chart, ...words])
  const kinds = parseAllDocuments(stdout).map((document) => document.get('kind'))
  assert.deepEqual(kinds.sort(), [
    ...['Deployment', 'HTTPRoute', 'HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy'],
    ...['PodDisruptionBudget', 'PodMonitor', 'Service'],
  ])
})

test('the settings of the Debian package are settings of the service', async () => {
  const text = await readFile(join(deploy, 'debian/lora-console.env'), 'utf8')
  const names = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name)
  assert.ok(names.length > 5)
  for (const name of names) assert.ok(Object.hasOwn(settings.shape, name), name)
})
