import { readTable } from '../../lora/device-file/read-table.ts'
import { command, readInput } from '../command.ts'
import { namesGateways, readGatewayRows } from './csv-gateways.ts'
import { readDeviceRows } from './csv-source.ts'
import { bringIn, importHelp, importOptions, openService } from './import-options.ts'
import type { Source } from './source.ts'

export const importCsv = command({
  name: 'import csv',
  parameters: ['FILE'],
  summary: 'registers the devices or gateways of a CSV file, or adopts or records them',
  help: `The first line names the columns, in any order: device_id (or DevEUI), device_name, device_key (AppKey),
join_eui (AppEUI), device_type (or model), group_path (Building A / Floor 2), notes, network,
account_name, app_region, frequency_plan. Headers of The Things Stack, ChirpStack, LORIOT and ThingPark,
and names in other languages, are known too; columns left out are listed. Without --as the devices are
registered at their network. Rows are numbered as a spreadsheet shows them.

A file of gateways has a column gateway_eui: gateway_name, description, latitude, longitude, network,
account_name, gateway_ip, region, frequency_plan, zone_id, and what else the form of the network asks
for.

  --gateways         the file has gateways, whatever its column of EUIs is called
${importHelp}`,
  options: { ...importOptions, gateways: { type: 'boolean' } },
  async run(context, [path = ''], values) {
    const service = openService(context, values)
    const table = readTable(await readInput(path))
    const hasGateways = values.gateways ?? namesGateways(table.headers)
    const devices = hasGateways ? undefined : readDeviceRows(path, table)
    const gateways = hasGateways ? readGatewayRows(path, table) : undefined
    const { leftOut = [] } = devices ?? gateways ?? {}
    if (leftOut.length > 0) context.say(`Columns left out: ${leftOut.join(', ')}.`)
    const source: Source = {
      name: path,
      devices: devices?.items ?? [],
      gateways: gateways?.items ?? [],
      codecs: new Map(),
    }
    const usual = { way: 'register', network: undefined } as const
    const result = await bringIn(context, service, values, { source, usual })
    return { ...result, columns_left_out: leftOut }
  },
})
