import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import { readConfig } from '../config.ts'
import { serveConsole } from './console.ts'

test('an address of tiles cannot break out of the policy or the page', () => {
  for (const MAP_TILES of [
    'https://tiles.example.test/{z}/{x}.png',
    'ftp://tiles.example.test/{z}/{x}/{y}',
    'https://tiles.example.test; script-src */{z}/{x}/{y}',
    'https://tiles.example.test;script-src/{z}/{x}/{y}',
    'https://tiles.example.test/"{z}/{x}/{y}',
    '//elsewhere.example.test/{z}/{x}/{y}',
    'https://*.example.test/{z}/{x}/{y}',
    'https://one.example.test,two.example.test/{z}/{x}/{y}',
    'https://tiles.example.test/map.png',
    'missing.pmtiles',
    '/etc/passwd',
  ]) {
    assert.throws(() => readConfig({ MAP_TILES }), /MAP_TILES must be an address/, MAP_TILES)
  }
  for (const MAP_TILES of ['/tiles/{z}/{x}/{y}.png', 'https://tiles.example.test/map.pmtiles']) {
    assert.equal(readConfig({ MAP_TILES }).mapTiles?.url, MAP_TILES)
  }
})

test('the console may ask the host of the tiles, and its page names them', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'console-'))
  t.after(() => rm(directory, { recursive: true }))
  await mkdir(join(directory, 'assets'))
  const tags = ['map-tiles', 'map-attribution'].map((name) => `<meta name="${name}" content="">`)
  await writeFile(join(directory, 'index.html'), tags.join(''))
  const app = Fastify()
  t.after(() => app.close())
  const url = 'https://tiles.example.test/{z}/{x}/{y}.png?a=1&b=2'
  const mapTiles = { url, attribution: '© "Maps" <b>' }
  serveConsole(app, {
    findFrameHosts: async () => [],
    directory,
    publicUrl: 'http://127.0.0.1:1',
    readMap: async () => mapTiles,
  })
  const { headers, body } = await app.inject({ url: '/', headers: { accept: 'text/html' } })
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /img-src 'self' data: blob: https:\/\/tiles.example.test;/)
  assert.match(policy, /connect-src 'self' https:\/\/tiles.example.test;/)
  assert.equal(policy.split('tiles.example.test').length, 3)
  assert.match(body, /name="map-tiles" content="https:[^"]+\.png\?a=1&amp;b=2"/)
  assert.match(body, /name="map-attribution" content="© &quot;Maps&quot; &lt;b>"/)
})
