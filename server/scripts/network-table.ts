import type { Capabilities } from '../src/networks/capabilities.ts'
import type { Network } from '../src/networks/network.ts'

const start = '<!-- networks: made by "npm run networks" from networks/*/capabilities.ts -->'
const end = '<!-- end of networks -->'

const cancels: Record<Capabilities['cancel'], string> = {
  one: 'any, alone',
  flush: 'any, the queue is emptied and put back',
  flush_own: 'any of ours, the queue is emptied and ours put back',
  here: 'until it is handed over',
}

const columns: [string, (can: Capabilities) => string][] = [
  ['devices', (can) => (can.registration === 'api' ? 'created' : 'by hand')],
  ['renamed', (can) => yes(can.renames)],
  ['new key', (can) => yes(can.rekeys)],
  ['gateways', (can) => (can.gateways ? 'created' : '-')],
  ['callback', (can) => (can.setsCallback ? 'entered by us' : 'by hand')],
  ['MQTT', (can) => yes(can.subscribes)],
  ['downlinks', (can) => can.downlinks],
  ['reports of them', (can) => can.reports.join(', ') || 'the next uplink tells'],
  ['cancel', (can) => cancels[can.cancel]],
  ['lists', (can) => can.lists.join(', ') || '-'],
  ['tells keys', (can) => yes(can.tellsKeys !== false)],
]

function yes(isSo: boolean): string {
  return isSo ? 'yes' : '-'
}

/** What works with each network, as a table in Markdown. */
export function renderNetworkTable(networks: readonly Network[]): string {
  const heads = ['network', ...columns.map(([head]) => head)]
  const rows = networks.flatMap(({ key, name, adapter }) => {
    if (!adapter) return []
    const page = key === 'other' ? name : `[${name}](docs/networks/${key}.md)`
    return [[page, ...columns.map(([, cell]) => cell(adapter.capabilities))]]
  })
  const lines = [heads, heads.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** `text` with the table between its marks made anew. Throws where it has no such marks. */
export function replaceNetworkTable(text: string, table: string): string {
  const [before, rest] = text.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error(`the text has no ${start}`)
  return `${before}${start}\n${table}\n${end}${after}`
}
