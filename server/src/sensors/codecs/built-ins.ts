import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/*
 * What codecs find: `Buffer`, by the library that ChirpStack has too (github.com/feross/buffer), text
 * encodings, and the prelude, which calls the codec.
 */

const require = createRequire(import.meta.url)
/** Each after those that it requires. The path keeps Node from taking its own `buffer`. */
const libraries = {
  'base64-js': require.resolve('base64-js/index.js'),
  ieee754: require.resolve('ieee754/index.js'),
  buffer: require.resolve('buffer/index.js'),
}

const wrapped = Object.entries(libraries).map(
  ([name, path]) =>
    `define('${name}', function (module, exports, require) {${readFileSync(path, 'utf8')}\n})`,
)

const bufferScript = `(() => {
  const loaded = {}
  function define(name, load) {
    const module = { exports: {} }
    load(module, module.exports, (other) => loaded[other])
    loaded[name] = module.exports
  }
  const console = undefined
  ${wrapped.join('\n')}
  const value = loaded.buffer.Buffer
  Object.defineProperty(globalThis, 'Buffer', { value, writable: true, configurable: true })
})()`

/** The scripts that run before every codec, by name. The value of the last one is the prelude. */
export const builtIns = [
  { name: 'buffer.js', code: bufferScript },
  ...['text-encodings.js', 'prelude.js'].map((name) => ({
    name,
    code: readFileSync(new URL(name, import.meta.url), 'utf8'),
  })),
]

/** The modules that a codec can import. */
export const modules: ReadonlyMap<string, string> = new Map(
  ['buffer', 'node:buffer'].map((name) => [
    name,
    'const { Buffer, atob, btoa } = globalThis; export { Buffer, atob, btoa }; export default { Buffer, atob, btoa }',
  ]),
)
