import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { routes } from '../src/routes.ts'
import { foundOrganization } from './members.ts'
import { startTestService } from './service.ts'

const service = await startTestService({ after })
const { call } = service
const acts = ['/auth/refresh-token', '/logout']

test('HEAD changes nothing: where GET acts it is 405', async () => {
  const member = await foundOrganization(service, 'member@example.test')
  for (const url of acts) {
    for (const slash of ['', '/']) {
      const { status, headers } = await call('HEAD', `/v1${url}${slash}`, { as: member })
      assert.deepEqual([status, headers.allow], [405, 'GET'])
    }
  }
  assert.equal((await call('GET', '/v1/devices', { as: member })).status, 200)
})

test('HEAD is answered as GET is, without a body, where that only reads', async () => {
  for (const { method, url } of routes) {
    if (method !== 'GET' || acts.includes(url)) continue
    const query = url === '/events' ? '?follow=no' : ''
    const path = `/v1${url.replaceAll(/:\w+/g, '999999')}${query}`
    const [read, head] = [await call('GET', path), await call('HEAD', path)]
    assert.deepEqual([head.status, head.text], [read.status, ''], path)
  }
})
