/** `npm run networks` writes the table of networks in the README anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networks, optionalNetworks } from '../src/networks/index.ts'
import { renderNetworkTable, replaceNetworkTable } from './network-table.ts'

const path = join(import.meta.dirname, '../../README.md')
const text = readFileSync(path, 'utf8')
writeFileSync(
  path,
  replaceNetworkTable(text, renderNetworkTable([...networks, ...optionalNetworks])),
)
