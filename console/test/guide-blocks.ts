import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectPages } from '../guide/collect-pages.ts'

export interface Block {
  /** Its page, as a path from the root of the repository. */
  page: string
  /** What stands behind the three backticks. */
  language: string
  code: string
}

export const root = join(import.meta.dirname, '../..')

/** Every fenced block of the guide, in order. */
export function readBlocks(): Block[] {
  return [...collectPages(root).pages.keys()].flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const fences = text.match(/^ *```/gm) ?? []
    const blocks = [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)]
    assert.equal(blocks.length * 2, fences.length, `${page} has blocks that cannot be read`)
    return blocks.map(([, indent = '', language = '', lines = '']) => {
      const code = lines.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      return { page, language, code }
    })
  })
}

/** Blocks that another test runs: page, language, test. */
const runElsewhere = [
  ['docs/audit.md', 'js', 'server/src/features/people/activity/audit.test.ts'],
  ['docs/high-availability.md', 'sh', 'server/test/high-availability-page.test.ts'],
  ['docs/operation.md', 'sh', 'server/test/operation.test.ts'],
  ['docs/production.md', 'sh', 'server/test/operation.test.ts'],
  ['docs/webhooks.md', 'js', 'server/test/webhooks-page.test.ts'],
  ['docs/webhooks.md', 'python', 'server/test/webhooks-page.test.ts'],
  ['clients/python/README.md', 'python', 'server/test/python-client.ts'],
] as const

/** Commands that no test runs: the page, with what the block begins, and why. Each names one block. */
const notRun = [
  ['docs/getting-started.md', 'npm ci && npm run demo', 'runs until it is ended'],
  ['docs/getting-started.md', 'npm start', 'the service of the test runs already'],
  ['docs/catalogue.md', 'api $API/device-catalogue/sources', 'see sources.test.ts'],
  [
    'docs/catalogue.md',
    'npx --no-install lora-console catalogue search',
    'see commands/catalogue.test.ts',
  ],
  [
    'docs/moving-in.md',
    'npx --no-install lora-console import chirpstack --server http://chirpstack-2',
    'see import-chirpstack.test.ts',
  ],
  [
    'docs/moving-in.md',
    'npx --no-install lora-console import thethingsstack --dry',
    'see import-files.test.ts',
  ],
  [
    'docs/moving-in.md',
    'npx --no-install lora-console import thethingsstack --file',
    'see import-files.test.ts',
  ],
  [
    'docs/moving-in.md',
    'npx --no-install lora-console import thingpark',
    'see import-files.test.ts',
  ],
  ['docs/doctor.md', 'npx --no-install lora-console doctor', 'see doctor.test.ts'],
  ['docs/troubleshooting.md', 'npx --no-install lora-console doctor', 'see doctor.test.ts'],
  ['docs/archive.md', 'npx --no-install lora-console export', 'see archive.test.ts'],
  ['docs/archive.md', 'npx --no-install lora-console import', 'see archive.test.ts'],
  ['README.md', 'npm ci && npm start', 'installs, and runs until it is ended'],
  ['README.md', 'npm ci && npm run demo', 'installs, and runs until it is ended'],
  ['README.md', "$ printf 'SECRET_KEY", 'needs Docker'],
  ['CONTRIBUTING.md', '$ npm ci && npm run demo', 'installs, and runs until it is ended'],
  [
    'docs/operation.md',
    '$ npx --no-install lora-console backup backups/before',
    'needs a newer release',
  ],
  ['docs/operation.md', '$ createuser', 'needs the superuser of a PostgreSQL'],
  ['docs/operation.md', '$ export SECRET_KEY', 'needs systemd'],
  ['docs/operation.md', '$ curl -i -X POST https://lora', 'needs a public name'],
  ['docs/operation.md', '$ cp deploy/systemd', 'needs systemd'],
  ['docs/operation.md', "$ printf 'SECRET_KEY", 'needs Docker'],
  ['docs/operation.md', '$ kubectl', 'needs Kubernetes'],
  ['docs/operation.md', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'needs a collector'],
  ['docs/operation.md', '$ npm run image-check', 'needs Docker'],
  [
    'docs/codecs.md',
    'function decodeUplink(input) {\n  // input',
    'shown; the same codec is run below it',
  ],
  [
    'docs/organizations.md',
    '$ npx --no-install lora-console organization list',
    'see organizations.test.ts',
  ],
  ['docs/organizations.md', '$ npx --no-install lora-console user add', 'see users.test.ts'],
  [
    'docs/organizations.md',
    '$ npx --no-install lora-console organization delete',
    'see organizations.test.ts',
  ],
  [
    'docs/dashboards.md',
    '$ api -X POST "$API/devices/00AA000000000001/notes"',
    'see notes.test.ts',
  ],
  ['docs/places.md', '$ api -X POST "$API/floor-plans"', 'needs an image; see plans.test.ts'],
  ['docs/dashboards.md', '$ api -X POST "$API/devices/', 'needs a device; see notes.test.ts'],
  ['docs/places.md', '$ pmtiles extract', 'needs another program, and downloads'],
  [
    'docs/places.md',
    '$ api -X POST "$API/devices/00AA000000000001/photos"',
    'needs an image; see photos.test.ts',
  ],
  ['docs/telegraf.md', "$ curl -XPOST 'http://127.0.0.1:8086", 'needs InfluxDB'],
  ['docs/mqtt.md', 'mosquitto_sub', 'needs a broker; see mqtt-webhooks.test.ts'],
  ['docs/networks/adding-one.md', 'NETWORK_CONTRACTS', 'runs tests, which run by themselves'],
  ['docs/networks/adding-one.md', 'node --test', 'runs tests, which run by themselves'],
  ['docs/guarantees.md', '$ npm run faults', 'injects faults for minutes'],
  ['faults/README.md', '$ npm run faults', 'injects faults for minutes'],
  ['soak/README.md', '$ npm run soak', 'simulates weeks, for an hour'],
  ['bench/README.md', '$ npm run bench     ', 'measures for hours'],
  ['bench/README.md', '$ npm run bench -- --size', 'measures for hours'],
] as const

const isCommand = ({ language }: Block) => /^(sh|bash|console|http|js|python)$/.test(language)

/** The commands of each page that a test is to run. Throws if one is left out without a reason. */
export function commandsByPage(blocks: readonly Block[]): Map<string, string[]> {
  const named = new Set<Block>()
  for (const [page, beginning] of notRun) {
    const found = blocks.filter((block) => block.page === page && block.code.startsWith(beginning))
    assert.equal(found.length, 1, `${page}: ${found.length} blocks begin with ${beginning}`)
    for (const block of found) named.add(block)
  }
  for (const [page, language] of runElsewhere) {
    const found = blocks.filter((block) => block.page === page && block.language === language)
    assert.ok(found.length > 0, `${page} has no ${language}`)
    for (const block of found) named.add(block)
  }
  const commands = new Map<string, string[]>()
  for (const block of blocks) {
    if (!isCommand(block) || named.has(block)) continue
    const { page, language, code } = block
    assert.equal(language, 'sh', `${page}: no reason why a test does not run ${code}`)
    commands.set(page, [...(commands.get(page) ?? []), code])
  }
  return commands
}
