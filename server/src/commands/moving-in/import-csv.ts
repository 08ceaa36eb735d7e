import { command } from '../command.ts'
import { readCsvSource } from './csv-source.ts'
import { bringIn, importHelp, importOptions, openService } from './import-options.ts'

export const importCsv = command({
  name: 'import csv',
  parameters: ['FILE'],
  summary: 'registers the devices of a CSV file, or adopts or records them',
  help: `The first line names the columns, in any order: device_id (or DevEUI), device_name, device_key (AppKey),
join_eui (AppEUI), device_type (or model), group_path (Building A / Floor 2), notes, network,
app_region, frequency_plan. Others are ignored. Without --as they are registered at their network.

${importHelp}`,
  options: importOptions,
  async run(context, [path = ''], values) {
    const service = openService(context, values)
    const source = await readCsvSource(path)
    return bringIn(context, service, values, {
      source,
      usual: { way: 'register', network: undefined },
    })
  },
})
