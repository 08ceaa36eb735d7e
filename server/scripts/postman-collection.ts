import { type CollectionRequest, variables } from './collection-requests.ts'

/**
 * A collection of Postman's format 2.1
 * (https://schema.getpostman.com/json/collection/v2.1.0/collection.json), with a folder for each tag. The
 * first example of a body is sent; all of them are saved as examples of the request.
 */
export function postmanCollection(requests: readonly CollectionRequest[]) {
  const folders = Object.groupBy(requests, ({ folder }) => folder)
  return {
    info: {
      name: 'LoRa fleet',
      description: {
        content:
          'All operations of the API. Set the variables `server` and `token`: an API key, which needs no `organization`; or set `email` and `password`, and send logIn, which fills in both.',
        type: 'text/markdown',
      },
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
    item: Object.entries(folders).map(([name, own = []]) => ({ name, item: own.map(itemOf) })),
  }
}

function itemOf(request: CollectionRequest) {
  const [first, ...others] = request.bodies
  const saved = request.answers.map(({ name, status, value }) =>
    savedOf(request, {
      name,
      body: bodyNamed(request, name) ?? first?.value,
      status,
      answer: value,
    }),
  )
  const shown = new Set(request.answers.map(({ name }) => name))
  const unanswered = others
    .filter(({ name }) => !shown.has(name))
    .map(({ name, value }) => savedOf(request, { name, body: value }))
  return {
    name: request.name,
    request: messageOf(request, first?.value),
    response: [...saved, ...unanswered],
    ...(request.isLogin ? { event: [{ listen: 'test', script: takeLogin }] } : {}),
  }
}

const bodyNamed = ({ bodies }: CollectionRequest, name: string) =>
  bodies.find((each) => each.name === name)?.value

const takeLogin = {
  type: 'text/javascript',
  exec: [
    'const login = pm.response.json()',
    'if (login.token) {',
    "  pm.collectionVariables.set('token', login.token)",
    "  pm.collectionVariables.set('organization', String(login.organizations[0].id))",
    '}',
  ],
}

function messageOf(request: CollectionRequest, body: unknown) {
  const path = request.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const query = request.queryParameters.map(({ name, value, docs, isRequired }) => ({
    key: name,
    value,
    description: docs,
    disabled: !isRequired,
  }))
  const sent = query.filter(({ disabled }) => !disabled)
  const text = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&')
  return {
    method: request.method,
    description: { content: request.docs, type: 'text/markdown' },
    ...(request.isOpen ? { auth: { type: 'noauth' } } : {}),
    header: headersOf(request, body),
    url: {
      raw: `{{server}}/v1${path}${text === '' ? '' : `?${text}`}`,
      host: ['{{server}}'],
      path: ['v1', ...path.split('/').slice(1)],
      query,
      variable: request.pathParameters.map(({ name, value, docs }) => ({
        key: name,
        value,
        description: docs,
      })),
    },
    ...(body === undefined
      ? {}
      : {
          body: {
            mode: 'raw',
            raw: JSON.stringify(body, null, 2),
            options: { raw: { language: 'json' } },
          },
        }),
  }
}

function headersOf({ isOpen }: CollectionRequest, body: unknown) {
  return [
    { key: 'Accept', value: 'application/json' },
    ...(isOpen ? [] : [{ key: 'Organization', value: '{{organization}}' }]),
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
  ]
}

interface Saved {
  name: string
  body: unknown
  status?: number
  answer?: unknown
}

function savedOf(request: CollectionRequest, { name, body, status, answer }: Saved) {
  const isText = typeof answer === 'string'
  return {
    name,
    originalRequest: messageOf(request, body),
    ...(status === undefined ? {} : { code: status, status: words[status] ?? 'OK' }),
    _postman_previewlanguage: isText ? 'text' : 'json',
    header: [],
    cookie: [],
    body: answer === undefined ? '' : isText ? answer : JSON.stringify(answer, null, 2),
  }
}

const words: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Accepted' }
