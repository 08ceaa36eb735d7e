import { type CollectionRequest, variables } from './collection-requests.ts'

/** The files of a collection of Bruno (https://docs.usebruno.com/bru-lang): a folder for each tag. */
export function brunoFiles(requests: readonly CollectionRequest[]): Map<string, string> {
  const files = new Map([
    [
      'bruno.json',
      `${JSON.stringify({ version: '1', name: 'LoRa fleet', type: 'collection' }, null, 2)}\n`,
    ],
    ['collection.bru', collection],
    ['environments/local.bru', block('vars', Object.entries(variables))],
  ])
  const counts = new Map<string, number>()
  for (const request of requests) {
    const number = (counts.get(request.folder) ?? 0) + 1
    counts.set(request.folder, number)
    files.set(`${request.folder}/${request.name}.bru`, requestText(request, number))
  }
  let place = 0
  for (const folder of counts.keys()) {
    place += 1
    files.set(
      `${folder}/folder.bru`,
      block('meta', [
        ['name', folder],
        ['seq', String(place)],
      ]),
    )
  }
  return files
}

type Pair = readonly [name: string, value: string]

const block = (name: string, pairs: readonly Pair[]) =>
  `${name} {\n${pairs.map(([key, value]) => `  ${key}: ${value}\n`).join('')}}\n`

const textBlock = (name: string, text: string) =>
  `${name} {\n${text.replaceAll(/^(?=.)/gm, '  ')}\n}\n`

const collection = [
  block('headers', [['Accept', 'application/json']]),
  block('auth', [['mode', 'bearer']]),
  block('auth:bearer', [['token', '{{token}}']]),
  textBlock(
    'docs',
    'All operations of the API. Choose the environment `local`, and set `server` and `token`: an API key; or set `email` and `password`, and send logIn, which fills in `token` and `organization`.',
  ),
].join('\n')

function requestText(request: CollectionRequest, number: number): string {
  const [body] = request.bodies
  const path = request.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const query = request.queryParameters.map(
    ({ name, value, isRequired }): Pair => [isRequired ? name : `~${name}`, value],
  )
  const sent = request.queryParameters.filter(({ isRequired }) => isRequired)
  const text = sent.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&')
  const others = request.bodies.slice(1).map(({ name, value }) => exampleText(name, value))
  return [
    block('meta', [
      ['name', request.name],
      ['type', 'http'],
      ['seq', String(number)],
    ]),
    block(request.method.toLowerCase(), [
      ['url', `{{server}}/v1${path}${text === '' ? '' : `?${text}`}`],
      ['body', body ? 'json' : 'none'],
      ['auth', request.isOpen ? 'none' : 'inherit'],
    ]),
    ...(query.length > 0 ? [block('params:query', query)] : []),
    ...(request.pathParameters.length > 0
      ? [
          block(
            'params:path',
            request.pathParameters.map(({ name, value }): Pair => [name, value]),
          ),
        ]
      : []),
    ...(request.isOpen ? [] : [block('headers', [['Organization', '{{organization}}']])]),
    ...(body ? [textBlock('body:json', JSON.stringify(body.value, null, 2))] : []),
    ...(request.isLogin ? [textBlock('script:post-response', takeLogin)] : []),
    textBlock('docs', [request.docs, ...others].join('\n\n')),
  ].join('\n')
}

// Bruno has one body for each request; its notes show the others.
const exampleText = (name: string, value: unknown) =>
  `Body, ${name}:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

const takeLogin = `if (res.body.token) {
  bru.setVar('token', res.body.token)
  bru.setVar('organization', String(res.body.organizations[0].id))
}`
