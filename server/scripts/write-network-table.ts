/** `npm run networks` writes the table of what each network offers, in docs/networks/README.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Capabilities } from '../src/networks/capabilities.ts'
import { networks, optionalNetworks } from '../src/networks/index.ts'
import type { Network } from '../src/networks/network.ts'
import { replaceMadePart } from './made-part.ts'

const marks = [
  '<!-- networks: made by "npm run networks" from networks/*/definition.ts -->',
  '<!-- end of networks -->',
] as const

const cancels: Record<NonNullable<Capabilities['cancel']>, string> = {
  one: 'any',
  flush: 'any, the queue is emptied and put back',
  flush_own: 'any of ours, the queue is emptied and ours put back',
}

const columns: [string, (network: Network) => string][] = [
  ['devices', ({ capabilities: can }) => (can.registration === 'api' ? 'created' : 'by hand')],
  ['renamed', ({ capabilities: can }) => yes(can.renames)],
  ['new key', ({ capabilities: can }) => yes(can.rekeys)],
  ['places', ({ capabilities: can }) => can.places?.join(', ') ?? '-'],
  ['gateways', ({ capabilities: can }) => (can.gateways ? 'created' : '-')],
  ['callback', ({ capabilities: can }) => (can.callbacks ? 'entered by us' : 'by hand')],
  ['MQTT', ({ readBroker }) => yes(readBroker !== undefined)],
  ['downlinks', ({ capabilities: can }) => can.downlinks ?? '-'],
  ['confirmed', ofDownlinks(({ confirmed }) => yes(confirmed))],
  ['reports of them', ofDownlinks(({ reports }) => reports?.join(', ') ?? 'the next uplink says')],
  ['cancel', ofDownlinks(({ cancel }) => (cancel ? cancels[cancel] : 'until it is handed over'))],
  ['lists', ({ capabilities: can }) => can.lists?.join(', ') ?? '-'],
  ['returns keys', ({ capabilities: can }) => yes(can.tellsKeys !== undefined)],
]

function yes(isSo = false): string {
  return isSo ? 'yes' : '-'
}

function ofDownlinks(cell: (can: Capabilities) => string): (network: Network) => string {
  return ({ capabilities: can }) => (can.downlinks ? cell(can) : '-')
}

/** What works with each network, as a table in Markdown. */
export function renderNetworkTable(networks: readonly Network[]): string {
  const heads = ['network', ...columns.map(([head]) => head)]
  const rows = networks.map((network) => {
    const { key, name } = network
    const page = key === 'other' ? name : `[${name}](${key}.md)`
    return [page, ...columns.map(([, cell]) => cell(network))]
  })
  const lines = [heads, heads.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** `text` with the table between its marks made again. Throws if it has no such marks. */
export function replaceNetworkTable(text: string, table: string): string {
  return replaceMadePart(text, marks, table)
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../../docs/networks/README.md')
  const table = renderNetworkTable([...networks, ...optionalNetworks])
  writeFileSync(path, replaceNetworkTable(readFileSync(path, 'utf8'), table))
}
