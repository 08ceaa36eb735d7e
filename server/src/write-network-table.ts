/** `npm run networks` writes the table of networks in the README anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderNetworkTable, replaceNetworkTable } from './network-table.ts'
import { networks, optionalNetworks } from './networks/index.ts'

const path = join(import.meta.dirname, '../../README.md')
const text = readFileSync(path, 'utf8')
writeFileSync(
  path,
  replaceNetworkTable(text, renderNetworkTable([...networks, ...optionalNetworks])),
)
