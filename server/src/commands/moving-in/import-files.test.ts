import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startSimulator as startStack } from '../../../simulators/thethingsnetwork/simulator.ts'
import { endOf, runCommand, startCommand } from '../../../test/command.ts'
import { connectAccount, euiOf } from '../../../test/fleet.ts'
import { keyOf, probe, startImports } from '../../../test/imports.ts'
import { connect, startChirpStack } from '../../../test/network.ts'
import { until } from '../../../test/until.ts'

/** Devices that come from The Things Stack, and from files. */

const { service, folder, startFleet, listDevices } = await startImports()

test('a file is registered through the account that is named for it, or for its row', async () => {
  const { owner, run, simulator: first } = await startFleet()
  const north = await startChirpStack({ after })
  await connect(service, first, {}, owner)
  await connectAccount(service, 'chirpstack', { ...north.account, account_name: 'north' }, owner)
  const path = join(folder, 'accounts.csv')
  const lines = ['', 'north', 'south'].map(
    (name, index) => `${euiOf(index + 1)},${keyOf(index + 1)},${name}`,
  )
  await writeFile(path, ['dev_eui,app_key,account_name', ...lines].join('\n'))
  const words = ['csv', path, '--network', 'chirpstack', '--type', '16']
  const dry = await run([...words, '--dry-run'])
  assert.deepEqual([dry.totals.planned, dry.totals.failed], [2, 1], JSON.stringify(dry))
  assert.equal(dry.rows[2].message, 'The organization has no account "south" at chirpstack.')
  assert.equal((await run(words)).totals.done, 2)
  await service.services.provisioner.idle()
  assert.deepEqual([first.devices.size, north.devices.size], [1, 1])

  await writeFile(path, `dev_eui,app_key\n${euiOf(4)},${keyOf(4)}`)
  assert.equal((await run([...words, '--account', 'north'])).totals.done, 1)
  await service.services.provisioner.idle()
  assert.deepEqual([first.devices.size, north.devices.size], [1, 2])
  const typo = await run([
    'csv',
    path,
    '--network',
    'chirpstack',
    '--account',
    'nort',
    '--type',
    '16',
  ])
  assert.equal(typo.totals.unchanged, 1)
})

test('two applications of The Things Stack are connected by the command', async () => {
  const { owner, run } = await startFleet()
  const words: string[][] = []
  for (const [index, name] of ['', 'second'].entries()) {
    const stack = await startStack()
    after(() => stack.close())
    stack.addDevice(euiOf(index + 1), `Theirs ${index}`)
    const place = ['--server', stack.account.cluster ?? '', '--application', 'fleet-app']
    const settings = { SOURCE_API_KEY: stack.store.apiKey }
    words[index] = ['thethingsstack', ...place, '--connect', '--type', '16']
    if (name) {
      const refused = await run(words[index] ?? [], settings)
      assert.match(refused.error, /another application or cluster/)
      words[index].push('--account', name)
    }
    assert.equal((await run([...words[index], '--dry-run'], settings)).totals.planned, 1)
    assert.equal(stack.store.webhooks.size, 0)
    const end = await run(words[index], settings)
    assert.equal(end.totals.done, 1, JSON.stringify(end))
    assert.equal(stack.store.webhooks.size, 1)
    assert.equal((await run(words[index], settings)).totals.unchanged, 1)
  }
  const devices: { account_name?: string }[] = await listDevices(owner)
  assert.deepEqual(
    devices.map(({ account_name }) => account_name),
    [undefined, 'second'],
  )
  const both = await run([...(words[0] ?? []), '--application', 'other-app'])
  assert.match(both.error, /is one application/)
})

test('a CSV file of any program comes in, row by row', async () => {
  const { owner, run } = await startFleet()
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, {}, owner)
  const path = join(folder, 'devices.csv')
  const lines = [
    '\ufeffDevEUI;Name;AppKey;AppEUI;Model;Group;Notes;tag:floor',
    `00-AA-00-00-00-00-00-01;"Hall; north";${keyOf(1)};;LoRa Door/Window;House / Hall;"two\nlines";2`,
    `00AA000000000002;Stairs;${keyOf(2)};00aa00000000ff01;99999;;`,
    `00AA00000000000;Short;${keyOf(3)};;16;;`,
    `00AA000000000001;Again;${keyOf(4)};;16;;`,
  ]
  await writeFile(path, lines.join('\r\n'))
  const words = ['csv', path, '--network', 'chirpstack']
  const dry = await run([...words, '--dry-run'])
  assert.deepEqual([dry.totals.planned, dry.totals.failed], [1, 3])
  const end = await run(words)
  assert.deepEqual(
    end.rows.map(({ message }: { message: string }) => message),
    [
      'Device added successfully',
      'No device type is given for "99999": --type "99999=TYPE" names one.',
      'The DevEUI has 15 digits instead of 16.',
      'Row 2 has the same DevEUI.',
    ],
  )
  const [hall] = await listDevices(owner)
  assert.deepEqual([hall.device_name, hall.groups[0].name], ['Hall; north', 'Hall'])
  assert.deepEqual([hall.extra_notes, hall.tags], ['two\nlines', { floor: '2' }])
  const names = await run(['csv', path, '--network', 'nowhere', '--type', '16'])
  assert.equal(names.totals.unchanged, 1)
  await writeFile(path, 'name,key\nHall,1')
  assert.match((await run(['csv', path])).error, /has no column for the DevEUI/)
})

test('files of other programs and of spreadsheets come in as they are', async () => {
  const { owner, run } = await startFleet()
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, {}, owner)
  const key = keyOf(1)
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
  const files: [number, string | Buffer][] = [
    [1, `device_id,dev_eui,join_eui,app_key\nlamp-1,${euiOf(1)},0000000000000000,${key}`],
    [
      2,
      `id,dev_eui,join_eui,name,frequency_plan_id,lorawan_version,lorawan_phy_version,app_key,band_id\nb5,${euiOf(2)},0000000000000000,Barn,EU_863_870_TTN,MAC_V1_0_3,RP001_V1_0_3_REV_A,${key},EU_863_870`,
    ],
    [3, `sep=;\r\nDevEUI;AppKey;Name\r\n${euiOf(3)};${key};Door`],
    [4, utf16(`DevEUI\tAppKey\tName\r\n${euiOf(4)}\t${key}\tFühler\r\n`)],
    [5, Buffer.from(`Device EUI (hex);App_Key;Gerätename\n0x${euiOf(5)};${key};Tür`, 'latin1')],
    [6, `CREATE_OTAA,${euiOf(6)},,16,,${key},,,,,Hall`],
    [7, `dev-eui,app key,Nom\n="${euiOf(7)}",0x${key.match(/../g)?.join('_')},'=Lamp`],
  ]
  for (const [number, content] of files) {
    const path = join(folder, `other-${number}.csv`)
    await writeFile(path, content)
    const end = await run(['csv', path, '--network', 'chirpstack', '--type', '16'])
    assert.equal(end.totals?.done, 1, JSON.stringify(end))
  }
  const devices: { device_id: string; device_name: string }[] = await listDevices(owner)
  assert.deepEqual(
    Object.fromEntries(devices.map((each) => [each.device_id, each.device_name])),
    Object.fromEntries(
      ['lamp-1', 'Barn', 'Door', 'Fühler', 'Tür', 'Hall', '=Lamp'].map((name, index) => {
        return [euiOf(index + 1), name]
      }),
    ),
  )
})

test('a file says what was left out, which row is wrong and why, and ends with 1', async () => {
  const { owner, settings } = await startFleet()
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, {}, owner)
  const path = join(folder, 'spreadsheet.csv')
  const lines = [
    'DevEUI,AppKey,Name,Colour,lorawan_version',
    `1.23E+15,${keyOf(1)},Lost,red,`,
    '',
    `${euiOf(1)},${keyOf(1)},Fine,red,1.0.3`,
    `${euiOf(2)},${keyOf(2)},Later,red,MAC_V1_1`,
  ]
  await writeFile(path, lines.join('\n'))
  const words = ['import', 'csv', path, '--network', 'chirpstack', '--type', '16', '--dry-run']
  const { code, output } = await runCommand(
    [...words, '--url', service.services.publicUrl],
    settings,
  )
  assert.equal(code, 1, output)
  assert.match(output, /^Columns left out: Colour\.$/m)
  assert.match(output, /^2 .*is 1\.23E\+15: a spreadsheet has taken it for a number/m)
  assert.match(output, /^4 .*Would be registered at its network\.$/m)
  assert.match(output, /^5 .*LoRaWAN 1\.1/m)
  assert.match(output, /^3 devices: 1 would be done, 2 failed\.$/m)
  const missing = await runCommand(['import', 'csv', 'nowhere.csv'], settings)
  assert.deepEqual(
    [missing.code, missing.errors],
    [1, 'nowhere.csv cannot be read: there is no such file.\n'],
  )
})

test('a fleet comes from The Things Stack, by its API or by an exported file', async () => {
  const { owner, run } = await startFleet()
  const stack = await startStack()
  after(() => stack.close())
  for (const number of [1, 2]) stack.addDevice(euiOf(number), `Theirs ${number}`)
  stack.changeKey?.(euiOf(1), keyOf(1).toUpperCase())
  const [probe1] = [...stack.store.devices.values()]
  Object.assign(probe1?.application ?? {}, {
    formatters: { up_formatter: 'FORMATTER_JAVASCRIPT', up_formatter_parameter: probe },
  })
  Object.assign(probe1?.identity ?? {}, { version_ids: { brand_id: 'acme', model_id: 'probe' } })
  await connectAccount(service, 'thethingsnetwork', stack.account, owner)
  const settings = { SOURCE_API_KEY: stack.store.apiKey }
  const words = ['thethingsstack', '--make-types', '--type', 'fleet-app=16']
  const dry = await run([...words, '--dry-run'], settings)
  assert.deepEqual([dry.error, dry.totals?.planned], [undefined, 2])
  const end = await run(words, settings)
  assert.equal(end.totals.done, 2, JSON.stringify(end.rows))
  const devices = await listDevices(owner)
  assert.deepEqual(
    devices.map((device: Record<string, { name: string }>) => device.device_type?.name).sort(),
    ['RBS301-DWS - LoRa Door/Window', 'acme probe'],
  )
  assert.equal(devices[0].groups[0].name, 'fleet-app')

  const path = join(folder, 'devices.json')
  const exported = (number: number, changes: object) => ({
    ids: { device_id: `d-${number}`, dev_eui: euiOf(number), join_eui: '00AA00000000FF01' },
    lorawan_version: 'MAC_V1_0_3',
    frequency_plan_id: 'EU_863_870_TTN',
    supports_join: true,
    root_keys: { app_key: { key: keyOf(number) } },
    ...changes,
  })
  const all = [
    exported(1, {}),
    exported(3, { name: 'A "name" with {braces}', description: 'x' }),
    exported(4, { supports_join: false, root_keys: null }),
    exported(5, { lorawan_version: '1.1.0' }),
  ]
  await writeFile(path, all.map((device) => JSON.stringify(device, null, 2)).join('\n'))
  const file = await run(['thethingsstack', '--file', path, '--type', '16', '--below', 'House'])
  assert.deepEqual(
    file.rows.map(({ message }: { message: string }) => message),
    [
      'Already here; put into its group.',
      'Device added successfully',
      'The device does not join: it is set up for ABP.',
      'The device is of LoRaWAN 1.1, which has two root keys.',
    ],
  )
  await service.services.provisioner.idle()
  assert.equal(stack.findDevice(euiOf(3))?.name, 'A "name" with {braces}')
  await writeFile(path, `${JSON.stringify(all[0])}\n{"ids": `)
  const cut = await run(['thethingsstack', '--file', path])
  assert.equal(cut.error, 'The file ends in the middle of a device.')
})

test('default and downlink formatters come too, and what is not taken is told', async () => {
  const { owner, run } = await startFleet()
  const stack = await startStack()
  after(() => stack.close())
  for (const number of [1, 2, 3]) stack.addDevice(euiOf(number), `Theirs ${number}`)
  const [, model, down] = [...stack.store.devices.values()]
  const js = (way: string, text: string) => ({
    [`${way}_formatter`]: 'FORMATTER_JAVASCRIPT',
    [`${way}_formatter_parameter`]: text,
  })
  const name = 'var frame = '
  stack.store.defaultFormatters = js('up', `${name} 1; ${probe}`)
  const repository = {
    up_formatter: 'FORMATTER_REPOSITORY',
    down_formatter: 'FORMATTER_REPOSITORY',
  }
  Object.assign(model?.application ?? {}, { formatters: repository })
  Object.assign(model?.identity ?? {}, { version_ids: { brand_id: 'acme', model_id: 'probe' } })
  const encoder = `${name} 2; function encodeDownlink() { return { fPort: frame, bytes: [frame] } }`
  Object.assign(down?.application ?? {}, { formatters: js('down', encoder) })
  Object.assign(down?.identity ?? {}, { version_ids: { brand_id: 'acme', model_id: 'valve' } })
  await connectAccount(service, 'thethingsnetwork', stack.account, owner)
  const settings = { SOURCE_API_KEY: stack.store.apiKey }
  const words = ['thethingsstack', '--make-types']
  const end = await run(words, settings)
  assert.deepEqual([end.totals.done, end.totals.failed], [2, 1], JSON.stringify(end))
  const failed = end.rows.find(({ status }: { status: string }) => status === 'failed')
  assert.match(failed.message, /^No device type is given for "acme probe": .* Device Repository/)
  assert.ok(end.lines.includes(`1 device left out: ${failed.message}`), end.lines.join('\n'))
  const { body } = await service.call('GET', '/v1/device-types', { as: owner })
  const types = new Map<string, string>()
  for (const { id, type_name } of body.data) {
    const shown = await service.call('GET', `/v1/device-types/${id}`, { as: owner })
    types.set(type_name, shown.body.data.codec)
  }
  assert.deepEqual([...types.keys()].sort(), ['acme valve', 'fleet-app'])
  assert.equal(types.get('fleet-app'), `${name} 1; ${probe}`)
  const both = types.get('acme valve') ?? ''
  assert.deepEqual(
    Function(`${both}; return [decodeUplink({ bytes: [7] }).data, encodeDownlink().fPort]`)(),
    [{ raw: 1 }, 2],
  )
  stack.store.denied = ['RIGHT_APPLICATION_SETTINGS_BASIC']
  const again = await run(words, settings)
  assert.ok(again.lines.some((line: string) => /default formatters are left out/.test(line)))
})

test("ThingPark's file of devices comes in line by line", async () => {
  const { owner, run } = await startFleet()
  const path = join(folder, 'thingpark.csv')
  const lines = [
    `CREATE_OTAA,00-AA-00-00-00-00-00-01,,ACME/Probe-1.0,00AA00000000FF01,${keyOf(1)},,,,,"Hall, north"`,
    '#CREATE_OTAA,00-AA-00-00-00-00-00-02',
    'CREATE_ABP,00AA000000000003,01020304,ACME/Probe-1.0,,,,,,,Stairs',
    'DELETE,00AA000000000004',
  ]
  await writeFile(path, lines.join('\r\n'))
  const words = ['thingpark', path, '--type', 'ACME/Probe-1.0=16', '--as', 'record']
  const end = await run(words)
  assert.deepEqual(
    [end.totals.rows, end.totals.done, end.totals.failed],
    [2, 1, 1],
    JSON.stringify(end),
  )
  const [hall] = await listDevices(owner)
  assert.deepEqual([hall.device_name, hall.network.key], ['Hall, north', 'actility'])
  assert.equal(end.rows[1].message, 'The device does not join: its line is CREATE_ABP.')
})

test('what Ctrl-C leaves undone is done by the next run', async () => {
  const { owner, settings } = await startFleet()
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, {}, owner)
  const path = join(folder, 'many.csv')
  const line = (index: number) => `${euiOf(0x1000 + index)},D ${index},${keyOf(index)},House`
  const lines = Array.from({ length: 3000 }, (_, index) => line(index))
  await writeFile(path, ['dev_eui,name,app_key,group', ...lines].join('\n'))
  const words = ['import', 'csv', path, '--network', 'chirpstack', '--type', '16', '--as', 'record']
  const child = startCommand([...words, '--url', service.services.publicUrl], settings)
  await until(async () => (await listDevices(owner)).length > 0, 'the first devices are there')
  child.kill('SIGINT')
  const { code } = await endOf(child)
  assert.ok(code === 130 || code === 0, `${code}`)
  await service.services.jobRunner.idle()
  const again = [...words, '--url', service.services.publicUrl, '--json']
  const { output, errors } = await runCommand(again, settings)
  const end = JSON.parse(output)
  assert.deepEqual([errors, end.rows.length], ['', 3000])
  const { rows, done, unchanged, failed } = end.totals
  assert.deepEqual([rows, done + unchanged, failed], [3000, 3000, 0])
  const { body } = await service.call('GET', '/v1/fleet/devices?limit=1', { as: owner })
  assert.equal(body.total, 3000)
  const groups = await service.call('GET', '/v1/fleet/groups', { as: owner })
  assert.equal(groups.body.data[0].own.devices, 3000)
})
