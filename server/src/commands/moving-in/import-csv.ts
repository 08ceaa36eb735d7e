import { readFile } from 'node:fs/promises'
import { command } from '../command.ts'
import { namesGateways, readGatewayRows } from './csv-gateways.ts'
import { decode, parseCsv, readDeviceRows } from './csv-source.ts'
import { bringIn, importHelp, importOptions, openService } from './import-options.ts'
import type { Source } from './source.ts'

export const importCsv = command({
  name: 'import csv',
  parameters: ['FILE'],
  summary: 'registers the devices or gateways of a CSV file, or adopts or records them',
  help: `The first line names the columns, in any order: device_id (or DevEUI), device_name, device_key (AppKey),
join_eui (AppEUI), device_type (or model), group_path (Building A / Floor 2), notes, network,
account_name, app_region, frequency_plan. Others are ignored. Without --as they are registered at
their network.

A file of gateways has a column gateway_eui: gateway_name, description, latitude, longitude, network,
account_name, gateway_ip, region, frequency_plan, zone_id, and what else the form of the network asks
for.

  --gateways         the file has gateways, whatever its column of EUIs is called
${importHelp}`,
  options: { ...importOptions, gateways: { type: 'boolean' } },
  async run(context, [path = ''], values) {
    const service = openService(context, values)
    const rows = parseCsv(decode(await readFile(path)))
    const hasGateways = values.gateways ?? namesGateways(rows[0] ?? [])
    const source: Source = {
      name: path,
      devices: hasGateways ? [] : readDeviceRows(path, rows),
      gateways: hasGateways ? readGatewayRows(path, rows) : [],
      codecs: new Map(),
    }
    return bringIn(context, service, values, {
      source,
      usual: { way: 'register', network: undefined },
    })
  },
})
