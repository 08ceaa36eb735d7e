// The CSV file of devices that ThingPark reads: no header, one directive in each line, and the columns
// A directive, B DevEUI, D device model, E JoinEUI, F AppKey, K device name.
// docs.thingpark.com/thingpark-enterprise/latest/docs/user-guide/devices-multicasts-connections/devices/bulk-operations/import-file,
// docs.thingpark.com/thingpark-global-sim/device-manager-user-guide/reference-information (K)
import { plainHex } from '../../lora/device-file/device-row.ts'
import { decode, readRows, type TableRow } from '../../lora/device-file/read-table.ts'
import { command, readInput } from '../command.ts'
import { bringIn, importHelp, importOptions, openService } from './import-options.ts'
import { makeDevice, type SourceDevice } from './source-device.ts'

export const importThingPark = command({
  name: 'import thingpark',
  parameters: ['FILE'],
  summary: "takes devices over from ThingPark's CSV file of devices",
  help: `Reads the lines CREATE_OTAA, and those that ThingPark ignores are ignored. The devices stay at
ThingPark, with which the organization's account is connected, unless --as says otherwise. Without the
file, all devices of the account come in by: lora-console reconcile actility --adopt-as TYPE.

${importHelp}`,
  options: importOptions,
  async run(context, [path = ''], values) {
    const service = openService(context, values)
    const rows = readRows(decode(await readInput(path)))
    const devices = rows.flatMap(toDevice)
    if (devices.length === 0) throw new Error(`${path} has no line that begins with CREATE_.`)
    return bringIn(context, service, values, {
      source: { name: path, devices, gateways: [], codecs: new Map() },
      usual: { way: 'adopt', network: 'actility' },
    })
  },
})

function toDevice({ number: row, cells }: TableRow): SourceDevice[] {
  const [directive = '', eui = '', , model, joinEui, key, , , , , name] = cells
  const word = directive.trim().toUpperCase()
  if (!word.startsWith('CREATE_')) return []
  const facts = { row, name: name ?? '', profile: model ?? '', joinEui: plainHex(joinEui ?? '') }
  if (word === 'CREATE_OTAA') return [makeDevice(eui, { ...facts, key: plainHex(key ?? '') })]
  const isOnlyAdopted = `The device does not join: its line is ${word}.`
  return [makeDevice(eui, { ...facts, isOnlyAdopted })]
}
