import type { FastifyInstance } from 'fastify'
import { networks } from '../networks/index.ts'

/**
 * Serves a mark of each network at `/images/networks/<key>.svg`: its initials on a colour of its
 * own, because the networks' logos are not free to use.
 */
export function serveNetworkImages(app: FastifyInstance): void {
  for (const [index, { key, name }] of networks.entries()) {
    const image = drawMark(initialsOf(name), (index * 360) / networks.length)
    app.get(`/images/networks/${key}.svg`, async (_request, reply) =>
      reply
        .type('image/svg+xml; charset=utf-8')
        .headers({ 'cache-control': 'public, max-age=86400' })
        .send(image),
    )
  }
}

/** `TS` of `The Things Stack`: the capitals that begin words, without an article or version. */
function initialsOf(name: string): string {
  const words = name.split(' ').filter((word) => !/^(the|for|v\d+)$/i.test(word))
  const first = words.map((word) => word.charAt(0).toUpperCase())
  return first.slice(0, 2).join('')
}

function drawMark(text: string, hue: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="${text}">
  <rect width="96" height="96" rx="16" fill="hsl(${Math.round(hue)} 45% 35%)"/>
  <text x="48" y="62" font-family="sans-serif" font-size="40" font-weight="600" text-anchor="middle" fill="#fff">${text}</text>
</svg>
`
}
