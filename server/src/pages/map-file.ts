import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { HttpError, notFound } from '../http/errors.ts'
import type { PageTiles } from './map-tiles.ts'

/** Of one answer: a tile or a directory of the file has far less. */
const mostBytes = 4 * 1024 * 1024
const askPart = `Ask for a part of the file, up to ${mostBytes / 1024 / 1024} MB: Range: bytes=0-16383.`

/**
 * Serves the PMTiles file of the map, by ranges (RFC 9110, 14), as the map in the browser asks for it. It
 * holds what everybody may know, as the files of the console, so that it needs no login. Nobody gets the whole
 * file at once.
 */
export function serveMapFile(
  app: FastifyInstance,
  readMap: () => Promise<PageTiles | undefined>,
): void {
  app.get('/map.pmtiles', async (request, reply) => {
    const file = (await readMap())?.file
    const found = file === undefined ? undefined : await stat(file).catch(() => undefined)
    if (file === undefined || !found?.isFile()) throw notFound('The service has no map file.')
    const { size, mtimeMs } = found
    const [, from, to] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(request.headers.range ?? '') ?? []
    const start = Number(from ?? Infinity)
    const end = Math.min(Number(to), size - 1)
    if (!(start <= end && end - start < mostBytes)) {
      throw new HttpError(416, askPart, { headers: { 'content-range': `bytes */${size}` } })
    }
    return reply
      .code(206)
      .headers({
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=3600',
        'content-length': end - start + 1,
        'content-range': `bytes ${start}-${end}/${size}`,
        'content-type': 'application/vnd.pmtiles',
        // Strong: parts of two files never go together.
        etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      })
      .send(createReadStream(file, { start, end }))
  })
}
