import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeOrganization,
  makeUp,
  post,
  readExample,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { publicUrl, startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const { call } = service
const callback = await connectChirpStack(service)
const exampleId = await addLocalDevice(service, exampleEui)
const pagedEui = '00AA00000000aBc1'
const pagedId = await addLocalDevice(service, pagedEui)
const other = await makeOrganization(service, 'other')
for (let count = 0; count < 25; count++) {
  await post(service, callback, makeUp({ eui: pagedEui, fCnt: count }))
}

const path = `/v1/devices/${pagedEui}/uplink`

/** The frame counters of a page, by which the uplinks are told apart. */
async function readPage(query: string) {
  const { status, body, text } = await call('GET', `${path}${query}`)
  assert.equal(status, 200, text)
  const counters = body.data.map(
    (uplink: { additional_data: { f_cnt: number } }) => uplink.additional_data.f_cnt,
  )
  return { ...body, counters }
}

function countDown(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index)
}

describe('a record', () => {
  // shows 1.4.7, 2.14.1-17, 6.1.1, 10.7.3, 10.7.5, 10.7.8-10
  test('has the fields of the contract', async () => {
    const location = { latitude: 52.25, longitude: 4.875, altitude: 3 }
    const published = readExample('up')
    const [first, second] = published.rxInfo as object[]
    const up = makeUp({ hex: '1a0301', rxInfo: [{ ...first, location }, second] })
    assert.equal((await post(service, callback, up)).status, 200)
    const { body } = await call('GET', `/v1/devices/${exampleEui}/uplink`)
    const { id, ...record } = body.data[0]
    assert.equal(Number.isInteger(id), true)
    assert.deepEqual(record, {
      did: exampleId,
      device_id: exampleEui,
      device_type_id: 16,
      device_name: 'Device 0101',
      event_type: 'DOOR_SENSOR',
      sensor_sequence: [10],
      decoded_object: { eventDescription: 'Door Opened', state: 'open' },
      decoded_message: 'Door Opened',
      event_time: '2022-07-18T09:34:15.775023Z',
      data: '1a0301',
      lat: 52.25,
      lng: 4.875,
      signal_bars: '5',
      snr: 10.5,
      rssi: -36,
      client_api_log: [],
      additional_data: {
        network: 'chirpstack',
        f_port: 1,
        f_cnt: 10,
        data_rate: 'SF11BW125',
        frequency: 867_100_000,
        gateways: [
          { gateway_eui: '0016C001F153A14C', rssi: -36, snr: 10.5, lat: 52.25, lng: 4.875 },
          { gateway_eui: '0016C001F153A14D', rssi: -80, snr: 2 },
        ],
      },
    })
  })

  test('has numbers where the network told none', async () => {
    await post(service, callback, makeUp({ rxInfo: [], txInfo: undefined, hex: '' }))
    const { body } = await call('GET', `/v1/devices/${exampleEui}/uplink?itemsPerPage=1`)
    const [record] = body.data
    assert.equal(record.data, '')
    assert.deepEqual(
      [record.lat, record.lng, record.snr, record.rssi, record.signal_bars],
      [0, 0, 0, 0, '0'],
    )
    const { data_rate, frequency, gateways } = record.additional_data
    assert.deepEqual([data_rate, frequency, gateways], [null, null, []])
  })

  // shows 10.7.4, 10.7.8
  test('shows the reception of the gateway with the best SNR in bars', async () => {
    const cases: [number, number, string][] = [
      [-60, 9, '5'],
      [-100, 9, '3'],
      [-119, 9, '1'],
      [-130, 9, '0'],
      [-60, -10, '2'],
      [-60, -21, '0'],
      // Each step is the first value of its bar.
      ...[-120, -115, -105, -95, -85].flatMap((rssi, step): [number, number, string][] => [
        [rssi, 9, String(step + 1)],
        [rssi - 1, 9, String(step)],
      ]),
      ...[-20, -12.5, -7.5, -2.5, 2.5].flatMap((snr, step): [number, number, string][] => [
        [-60, snr, String(step + 1)],
        [-60, snr - 0.25, String(step)],
      ]),
    ]
    for (const [rssi, snr, bars] of cases) {
      const rxInfo = [
        { gatewayId: '0016c001f153a14d', rssi: -1, snr: snr - 1 },
        { gatewayId: '0016c001f153a14c', rssi, snr },
      ]
      await post(service, callback, makeUp({ rxInfo }))
      const { body } = await call('GET', `/v1/devices/${exampleEui}/uplink?itemsPerPage=1`)
      assert.equal(body.data[0].signal_bars, bars, `${rssi} dBm, ${snr} dB`)
      assert.equal(body.data[0].rssi, rssi)
    }
  })

  test('shows bars where the network told a part of the signal', async () => {
    const gatewayId = '0016c001f153a14c'
    for (const [told, bars] of [
      [{ snr: 9, rssi: '' }, '3'],
      [{ rssi: -60, snr: '' }, '4'],
    ] as const) {
      await post(service, callback, makeUp({ rxInfo: [{ gatewayId, ...told }] }))
      const { body } = await call('GET', `/v1/devices/${exampleEui}/uplink?itemsPerPage=1`)
      assert.equal(body.data[0].signal_bars, bars)
    }
  })

  // shows 2.14.9, 10.7.7
  test('parts its lines by <br>, and shows no other tag', async () => {
    await post(service, callback, makeUp({ hex: '100011278850703c' }))
    const { body } = await call('GET', `/v1/devices/${exampleEui}/uplink?itemsPerPage=1`)
    const message: string = body.data[0].decoded_message
    assert.match(message, /^Reset<br>Sensor type: 4-20mA Current Loop<br>/)
    assert.equal(message.replaceAll('<br>', '').includes('<'), false)
  })
})

describe('a list', () => {
  // shows 2.1.8-10, 4.12.2, 4.12.3, 8.1.5, 10.5.8
  test('begins with the newest, ten to a page', async () => {
    const { counters, meta, payload, links } = await readPage('')
    const address = `${publicUrl}${path}`
    assert.deepEqual(counters, countDown(24, 15))
    assert.deepEqual(payload, { page: '1', itemsPerPage: '10' })
    assert.deepEqual(links, {
      first: `${address}?page=1`,
      last: `${address}?page=3`,
      prev: null,
      next: `${address}?page=2`,
    })
    const { links: pages, ...rest } = meta
    assert.deepEqual(rest, {
      current_page: 1,
      from: 1,
      last_page: 3,
      path: address,
      per_page: 10,
      to: 10,
      total: 25,
    })
    assert.deepEqual(
      pages.map(({ label }: { label: string }) => label),
      ['« Previous', '1', '2', '3', 'Next »'],
    )
  })

  // shows 4.12.1
  test('ends with the oldest', async () => {
    const { counters, meta, links } = await readPage('?page=3')
    assert.deepEqual(counters, countDown(4, 0))
    assert.deepEqual([meta.from, meta.to, meta.total], [21, 25, 25])
    assert.equal(links.next, null)
  })

  test('keeps what else the query said in its links, and the page size as sent', async () => {
    const { counters, meta, links, payload } = await readPage('?itemsPerPage=07&colour=red&page=2')
    assert.deepEqual(counters, countDown(17, 11))
    assert.equal(meta.per_page, '07')
    assert.equal(links.next, `${publicUrl}${path}?itemsPerPage=07&colour=red&page=3`)
    assert.equal(links.prev, `${publicUrl}${path}?itemsPerPage=07&colour=red&page=1`)
    assert.deepEqual(payload, { page: '2', itemsPerPage: '7' })
  })

  // shows 2.1.10
  test('is empty past its end, at any distance', async () => {
    for (const page of ['4', '1000', '2147483647']) {
      const { data, meta } = await readPage(`?page=${page}&itemsPerPage=1000`)
      assert.deepEqual(data, [])
      assert.deepEqual([meta.from, meta.to, meta.total], [null, null, 25])
    }
  })

  test('of any page size holds every uplink once', async () => {
    for (const size of [1, 4, 25, 26, 1000]) {
      const all: number[] = []
      for (let page = 1; page <= Math.ceil(25 / size); page++) {
        all.push(...(await readPage(`?page=${page}&itemsPerPage=${size}`)).counters)
      }
      assert.deepEqual(all, countDown(24, 0), String(size))
    }
  })

  test('refuses a page or size that is none', async () => {
    for (const query of ['page=0', 'page=-1', 'page=x', 'page=1.5', 'page=', 'page=2147483648']) {
      const { status, body } = await call('GET', `${path}?${query}`)
      assert.equal(status, 422, query)
      assert.deepEqual(Object.keys(body.errors), ['page'])
    }
    for (const query of ['itemsPerPage=0', 'itemsPerPage=1001', 'itemsPerPage=ten']) {
      assert.equal((await call('GET', `${path}?${query}`)).status, 422, query)
    }
  })
})

describe('the device', () => {
  // shows 10.1.3
  test('is named by its EUI in any case, or by its id', async () => {
    for (const name of [pagedEui, pagedEui.toUpperCase(), pagedEui.toLowerCase(), pagedId]) {
      const { body } = await call('GET', `/v1/devices/${name}/uplink`)
      assert.equal(body.meta.total, 25, String(name))
      assert.equal(body.data[0].device_id, pagedEui)
    }
  })

  test('is not found when it is missing or somebody else’s', async () => {
    const names = ['AAAAAAAAAAAAAAAA', '999999', '0', '-1', '99999999999', 'x', '%00', 'null']
    for (const name of names) {
      const { status, body } = await call('GET', `/v1/devices/${name}/uplink`)
      assert.equal(status, 404, name)
      assert.deepEqual(body, { message: 'device not found' })
    }
    for (const name of [pagedEui, pagedId]) {
      const { status, body } = await call('GET', `/v1/devices/${name}/uplink`, { as: other })
      assert.equal(status, 404)
      assert.deepEqual(body, { message: 'device not found' })
    }
  })

  // shows 10.6.13
  test('takes its list with it when it is deleted, but not its uplinks', async () => {
    const eui = '00AA00000000DE1E'
    await addLocalDevice(service, eui)
    await post(service, callback, makeUp({ eui }))
    await call('DELETE', `/v1/devices/${eui}`)
    assert.equal((await call('GET', `/v1/devices/${eui}/uplink`)).status, 404)
    const all = await call('GET', '/v1/devices/all/uplink?itemsPerPage=1')
    assert.equal(all.body.data[0].device_id, eui)
    const csv = await call('POST', '/v1/devices/all/uplink')
    assert.equal(csv.text.split('\r\n')[1]?.split(',')[0], eui)
  })

  test('answers nobody who is not signed in', async () => {
    assert.equal((await call('GET', path, { as: null })).status, 401)
  })
})
