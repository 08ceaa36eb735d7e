import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { addGateway, addGroup, euiOf, gatewayEuiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { ownerEmail } from '../../../../test/service.ts'
import { lookAtStates } from './look-at-states.ts'
import { listActive } from './rule-queries.ts'

const service = await startAlertTest({ after }, { devices: 8 })
const { call, pass, uplink, createRule, alerts, server } = service
const other = await foundOrganization(service, 'other@example.test')
beforeEach(service.removeRules)

/** Devices send once an hour, for so many hours. */
async function sendHourly(devices: readonly number[], hours = 8, gateways?: number[]) {
  for (let hour = 0; hour < hours; hour += 1) {
    for (const device of devices) await uplink(device, gateways ? { gateways } : {})
    await pass(60)
  }
}

test('tells of a silent device once, takes a note, and tells when it is back', async () => {
  await sendHourly([1, 2])
  const rule = await createRule({ name: 'Silence', kind: 'device_silent' })
  assert.deepEqual(rule.settings, { missed: 3, at_least_minutes: 60, at_most_minutes: null })
  const before = server.mails.length
  for (let hour = 0; hour < 3; hour += 1) {
    await uplink(1)
    await pass(60)
  }
  const [alert, ...others] = await alerts(`rule=${rule.id}`)
  assert.equal(others.length, 0)
  assert.deepEqual(
    [alert.kind, alert.state, alert.device.eui, alert.bound],
    ['device_silent', 'open', euiOf(2), 10_800],
  )
  assert.equal(server.mails.length, before, 'the digest gathers for a minute')
  await pass(1)
  await uplink(1)
  await pass(30)
  assert.equal(server.mails.length, before + 1)
  const mail = server.mails.at(-1)
  assert.deepEqual(mail?.to, [ownerEmail])
  assert.match(mail?.raw ?? '', /^Subject: .*Device 2: is silent/m)
  assert.match(mail?.raw ?? '', /^Message-ID: <alert-1-digest_\d+_\d+@fleet\.example\.test>/im)
  assert.ok(mail?.raw.includes(euiOf(2)))

  const url = `/v1/alerts/${alert.id}/acknowledge`
  const seen = await call('POST', url, { body: { note: 'New battery ordered' } })
  assert.equal(seen.status, 200, seen.text)
  assert.equal(seen.body.data.note, 'New battery ordered')
  assert.notEqual(seen.body.data.acknowledged_by, null)
  assert.equal((await alerts('state=open&acknowledged=no')).length, 0)

  await uplink(2)
  await pass(1)
  const closed = (await call('GET', `/v1/alerts/${alert.id}`)).body.data
  assert.deepEqual([closed.state, closed.ended], ['closed', 'back'])
  await pass(1)
  assert.equal(server.mails.length, before + 2)
  assert.match(server.mails.at(-1)?.raw ?? '', /^Subject: .*Back: Device 2/m)
  await pass(30)
  assert.equal(server.mails.length, before + 2)
})

test('a gateway outage is one mail that names the gateway, and one when all is back', async () => {
  const gateway = await addGateway(service, 1)
  const devices = [1, 2, 3, 4]
  await sendHourly(devices, 8, [1])
  await createRule({ kind: 'device_silent' })
  const before = server.mails.length
  // They fall silent one after the other.
  for (const device of devices) {
    await uplink(device, { gateways: [1] })
    await pass(10)
  }
  for (let minutes = 0; minutes < 5 * 60; minutes += 5) await pass(5)
  const open = await alerts('state=open')
  assert.equal(open.length, 4)
  for (const { cause } of open) assert.equal(cause.eui, gatewayEuiOf(1))
  assert.equal(server.mails.length, before + 1)
  const { raw } = server.mails.at(-1) ?? { raw: '' }
  assert.ok(raw.includes(gateway.name ?? 'Gateway 1'), raw)
  assert.ok(raw.includes(gatewayEuiOf(1)))
  for (const device of devices) {
    await uplink(device, { gateways: [1] })
    for (let minute = 0; minute < 10; minute += 1) await pass(1)
  }
  assert.equal((await alerts('state=open')).length, 0)
  assert.equal(server.mails.length, before + 2)
  assert.match(server.mails.at(-1)?.raw ?? '', /All devices that went silent behind gateway/)
})

test('counts many devices in one mail', async () => {
  const { db } = service.services
  await createRule({ kind: 'device_silent' })
  await sendHourly([5])
  await db.query(
    `with made as (
       insert into devices (organization_id, device_eui, join_eui, name, type_id, network,
         register_method, register_status, user_id)
       select 1, '00AA00FF' || lpad(to_hex(number), 8, '0'), '', 'Many ' || number, 16,
         'chirpstack', 'user_account', 'active', 1
       from generate_series(1, 10000) as number
       returning id
     )
     insert into device_states (organization_id, device_id, last_seen)
     select 1, id, $1::timestamptz - interval '5 days' from made`,
    [service.services.now()],
  )
  // In production a job does it.
  await db.query('analyze')
  const before = server.mails.length
  await pass(1)
  await pass(2)
  const { body } = await call('GET', '/v1/alerts?state=open&limit=200')
  assert.equal(body.data.length, 200)
  assert.ok(body.open >= 10_000, `${body.open} are open`)
  assert.equal(server.mails.length, before + 1)
  assert.match(server.mails.at(-1)?.raw ?? '', /10,00\d devices are silent/)
  const all = await call('POST', '/v1/alerts/acknowledge', { body: { rule: body.data[0].rule_id } })
  assert.ok(all.body.data.acknowledged >= 10_000)
  await db.query(`update devices set deleted_at = now() where name like 'Many %'`)
})

test('is quiet while a device or a rule is muted, and tells afterwards', async () => {
  await sendHourly([1, 2])
  const rule = await createRule({ kind: 'device_silent', network: 'chirpstack' })
  await pass(6)
  const before = server.mails.length
  const until = new Date(service.services.now().getTime() + 12 * 3_600_000).toISOString()
  for (const url of [`/v1/devices/${euiOf(1)}/alerts/mute`, `/v1/alert-rules/${rule.id}/mute`]) {
    const muted = await call('POST', url, { body: { until } })
    assert.equal(muted.status, 200, muted.text)
    assert.notEqual(muted.body.data.muted_until, null)
  }
  await pass(5 * 60)
  await pass(2)
  assert.ok((await alerts(`state=open&rule=${rule.id}`)).length >= 2)
  assert.equal(server.mails.length, before)
  await pass(8 * 60)
  await pass(2)
  assert.equal(server.mails.length, before + 1)
  const { body } = await call('GET', `/v1/devices/${euiOf(1)}/alerts`)
  assert.equal(body.data.muted_until, null)
  assert.equal(body.data.interval_seconds, 3600)
  assert.equal(body.data.alerts[0].state, 'open')
})

test('a gateway is silent by its own traffic, and is back with it', async () => {
  await addGateway(service, 7)
  for (let hour = 0; hour < 3; hour += 1) {
    await uplink(1, { gateways: [7] })
    await pass(60)
  }
  const rule = await createRule({ kind: 'gateway_silent', recipients: [] })
  await pass(30)
  const ofGateway = async () =>
    (await alerts(`rule=${rule.id}`)).filter(({ gateway }) => gateway.eui === gatewayEuiOf(7))
  // Nothing is known of its hours, so an hour is its limit.
  const [alert] = await ofGateway()
  assert.deepEqual([alert?.state, alert?.bound, alert?.device], ['open', 3600, null])
  await uplink(1, { gateways: [7] })
  await pass(1)
  assert.equal((await ofGateway())[0]?.state, 'closed')
})

test('waits for a device that is often quiet for long', async () => {
  // The ninth of ten intervals is five hours, and the median ten minutes.
  for (const minutes of [300, 10, 10, 10, 10]) {
    for (let turn = 0; turn < 4; turn += 1) {
      await uplink(3)
      await pass(minutes)
    }
  }
  await uplink(3)
  const rule = await createRule({ kind: 'device_silent' })
  const settings = { at_most_minutes: 240 }
  const sooner = await createRule({ kind: 'device_silent', settings })
  const ofDevice = async ({ id }: { id: number }) =>
    (await alerts(`rule=${id}`))
      .filter(({ device }) => device.eui === euiOf(3))
      .map(({ state, bound }) => [state, bound])
  await pass(450)
  assert.deepEqual([await ofDevice(rule), await ofDevice(sooner)], [[], [['open', 14_400]]])
  await pass(1)
  assert.deepEqual(await ofDevice(rule), [['open', 27_000]])
  // Both tell of it again when it falls silent again.
  await uplink(3)
  await pass(1)
  await pass(240)
  assert.deepEqual(
    (await ofDevice(sooner)).map(([state]) => state),
    ['open', 'closed'],
  )
})

test('learns a rhythm from three intervals, of devices that were not heard for a while', async () => {
  const ofDevice = async (device: number) => {
    const { body } = await call('GET', `/v1/devices/${euiOf(device)}/alerts`)
    const alert = body.data.alerts.find(({ state }: { state: string }) => state === 'open')
    return [body.data.interval_seconds, alert?.state, alert?.bound]
  }
  // Their median is 60 minutes, the ninth of ten 108.
  for (const minutes of [10, 120, 60]) {
    await uplink(7)
    if (minutes !== 60) await uplink(8)
    await pass(minutes)
  }
  await uplink(7)
  await uplink(8)
  await createRule({ kind: 'device_silent', settings: { at_most_minutes: 300 } })
  await pass(30)
  assert.deepEqual(await ofDevice(7), [null, undefined, undefined])
  await pass(150)
  assert.deepEqual(await ofDevice(7), [3600, undefined, undefined])
  await pass(1)
  assert.deepEqual(await ofDevice(7), [3600, 'open', 10_800])
  await pass(119)
  assert.deepEqual(await ofDevice(8), [null, undefined, undefined], 'two intervals')
  await pass(1)
  assert.deepEqual(await ofDevice(8), [null, 'open', 18_000])
  // With the third interval it is known, however short ago the two were looked at.
  await uplink(8)
  for (const minutes of [1, 60]) await pass(minutes)
  assert.equal((await ofDevice(8))[0], 10_800)
})

test('each rule opens and closes its own alerts only', async () => {
  await addGateway(service, 3)
  await uplink(1, { gateways: [3] })
  await sendHourly([6], 12)
  const low = await createRule({ kind: 'threshold', settings: { key: 'battery', below: 2.5 } })
  // A battery of 2.4 V.
  const hex = '1101000124'
  await uplink(6, { hex })
  await pass(0)
  const silent = await createRule({ kind: 'device_silent' })
  const statesOf = async ({ id }: { id: number }) =>
    (await alerts(`rule=${id}`))
      .filter(({ device }) => device.eui === euiOf(6))
      .map(({ state, cause }) => [state, cause])
  await pass(181)
  assert.deepEqual(await statesOf(low), [['open', null]])
  assert.deepEqual(await statesOf(silent), [['open', null]], 'no gateway that heard it is silent')
  // The look is at the time of the uplink.
  service.setClock(new Date(service.services.now().getTime() + 60_000))
  await uplink(6, { hex })
  await pass(0)
  assert.deepEqual(await statesOf(low), [['open', null]])
  assert.deepEqual(await statesOf(silent), [['closed', null]])
})

test('an uplink that comes late does not end a silence', async () => {
  await sendHourly([4], 22)
  const rule = await createRule({ kind: 'device_silent' })
  await pass(121)
  const ofDevice = async () =>
    (await alerts(`rule=${rule.id}`)).find(({ device }) => device.eui === euiOf(4))
  assert.deepEqual([(await ofDevice())?.state, (await ofDevice())?.bound], ['open', 10_800])
  const { db, now } = service.services
  const rules = await listActive(db, 1)
  const look = await db.transaction((tx) => lookAtStates(tx, 1, rules, now()))
  assert.deepEqual(look, { changes: 0, hasMore: false }, 'a second look finds nothing')
  for (const [minutesAgo, state] of [
    // With the minute that passes, half of the silence.
    [89, 'open'],
    [60, 'closed'],
  ] as const) {
    await uplink(4, { minutesAgo })
    await pass(1)
    assert.equal((await ofDevice())?.state, state, `${minutesAgo} minutes ago`)
  }
})

test('a gateway may be silent by its traffic of the week before', async () => {
  const { id } = await addGateway(service, 8)
  const hardlyKnown = await addGateway(service, 9)
  await uplink(1, { gateways: [8, 9] })
  const { db, now } = service.services
  const before = now().getTime()
  await db.query('delete from gateway_hours where gateway_id = any($1)', [[id, hardlyKnown.id]])
  // 18 an hour; what is as old as a week, or newer than what was heard last, does not count.
  for (const [gateway, hours, uplinks] of [
    [id, 168, 1],
    ...[5, 4, 3, 2, 1].map((ago) => [id, ago, 1100 - ago * 20] as const),
    [id, 0, 1090],
    [id, -1, 9000],
    [hardlyKnown.id, 2, 5000],
  ] as const) {
    await db.query(
      `insert into gateway_hours (organization_id, gateway_id, hour, uplink_count, downlink_count)
       values (1, $1, $2, $3, 0)`,
      [gateway, new Date(before - hours * 3_600_000), uplinks],
    )
  }
  const settings = { missed: 3, at_least_minutes: 5 }
  const rule = await createRule({ kind: 'gateway_silent', recipients: [], settings })
  const later = await createRule({
    kind: 'gateway_silent',
    recipients: [],
    settings: { ...settings, at_least_minutes: 15 },
  })
  const found = async (of: { id: number }, gateway: number) =>
    (await alerts(`rule=${of.id}`))
      .filter((alert) => alert.gateway.eui === gatewayEuiOf(gateway))
      .map(({ state, bound }) => [state, bound])
  await pass(10)
  assert.deepEqual(await found(rule, 8), [])
  await pass(1)
  // Three times the 200 seconds between two uplinks.
  assert.deepEqual(await found(rule, 8), [['open', 600]])
  assert.deepEqual(await found(later, 8), [])
  await pass(5)
  assert.deepEqual(await found(later, 8), [['open', 900]])
  await pass(44)
  assert.deepEqual(await found(rule, 9), [])
  await pass(1)
  assert.deepEqual(await found(rule, 9), [['open', 3600]], 'an hour, where no rate is known')
})

test('a rule tells of the devices of its group, and of none that was deleted', async () => {
  const { db, now } = service.services
  await db.query(
    `with made as (
       insert into devices (organization_id, device_eui, join_eui, name, type_id, network,
         register_method, register_status, user_id)
       values ($1, '00AA00FE00000001', '', 'Theirs', 16, 'chirpstack', 'user_account', 'active', 1)
       returning id
     )
     insert into device_states (organization_id, device_id, last_seen)
     select $1, id, $2::timestamptz - interval '5 days' from made`,
    [other.organizationId, now()],
  )
  await addGateway(service, 1, {}, other)
  await db.query('update gateway_states set last_seen = $1 where organization_id = $2', [
    new Date(now().getTime() - 5 * 24 * 3_600_000),
    other.organizationId,
  ])
  await createRule({ kind: 'gateway_silent', recipients: [] })
  await sendHourly([1, 2, 3])
  const selectedDevices = [(await readDevice(service, 2)).id, (await readDevice(service, 3)).id]
  const group = await addGroup(service, 'Watched', { selectedDevices })
  const settings = { at_most_minutes: 240 }
  const all = await createRule({ kind: 'device_silent', settings })
  const grouped = await createRule({ kind: 'device_silent', settings, group })
  await call('DELETE', `/v1/devices/${euiOf(3)}`)
  await pass(5 * 60)
  const found = async (rule: { id: number }) =>
    (await alerts(`rule=${rule.id}&state=open`)).map(({ device }) => device.eui)
  assert.deepEqual(await found(grouped), [euiOf(2)])
  const others = await found(all)
  assert.deepEqual([others.includes(euiOf(1)), others.includes(euiOf(3))], [true, false])
  await uplink(2)
  await pass(1)
  assert.deepEqual(await found(grouped), [])
  const read = async () => (await alerts(`rule=${grouped.id}`))[0]
  const closed = await read()
  assert.equal(closed.state, 'closed')
  await uplink(2)
  await pass(5)
  assert.deepEqual(await read(), closed)
  const [{ foreign } = { foreign: -1 }] = await db.query<{ foreign: number }>(
    // Each kind apart, because Citus joins no rows of several organizations.
    `with known as materialized (
       select organization_id, device_id as id, 'device' as kind from device_rhythms
       union all
       select organization_id, gateway_id, 'gateway' from alerts where gateway_id is not null
     ), theirs as materialized (
       select organization_id, id, 'device' as kind from devices
       union all
       select organization_id, id, 'gateway' from gateways
     )
     select count(*) as foreign from known join theirs using (kind, id)
     where theirs.organization_id <> known.organization_id`,
  )
  assert.equal(foreign, 0, 'devices and gateways of others were looked at')
})
