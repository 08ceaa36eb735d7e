import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** For tests: a line of `docs/endpoints.txt`, which says by hand who may call what. */
export interface ListedEndpoint {
  /** The operation as the table writes it, such as `GET /devices/:device_id`. */
  operation: string
  method: string
  url: string
  section: string
  isLater: boolean
  access: string
  /** Of members' endpoints: whether they take API keys, or the login of a person. */
  takes: 'key' | 'person' | undefined
  /** Of members' endpoints: what they are for whoever is limited to a group. */
  reach: string | undefined
}

const line =
  /^([A-Z]+) +(\/\S+) +(public|refresh|token|(signed-in|manage_\w+) +(key|person) +([a-z-]+)|later)$/

export const endpointList: readonly ListedEndpoint[] = readLines(
  readFileSync(new URL('../../docs/endpoints.txt', import.meta.url), 'utf8'),
)

function readLines(text: string): ListedEndpoint[] {
  let section = ''
  return text.split('\n').flatMap((each) => {
    const heading = /^# ([\w ]+?)(?: \(.*)?$/.exec(each)
    if (heading) section = heading[1] ?? ''
    if (each === '' || each.startsWith('#')) return []
    const match = line.exec(each)
    assert.ok(match, `docs/endpoints.txt has a line that is none: ${each}`)
    const [, method = '', path = '', word = '', permission, takes, reach] = match
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    return {
      operation: `${method} ${url}`,
      ...{ method, url, section, reach },
      isLater: word === 'later',
      access: permission ?? word,
      takes: takes as ListedEndpoint['takes'],
    }
  })
}
