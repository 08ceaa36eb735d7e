import { join } from 'node:path'

/** A command and its words; `cwd` is the folder of the generator's own project. */
type Step = readonly [command: string, ...words: string[]]

export interface Generator {
  name: string
  /** Programs that must be on the machine. */
  needs: readonly string[]
  /** Makes and compiles a client of `document` in an empty folder, with the files of `program`. */
  make(document: string): readonly Step[]
  /** Runs the program; a client that is only compiled has none. */
  run?: Step
}

const openApiGenerator = 'org.openapitools:openapi-generator-cli:7.23.0'
const fromPyPi = 'openapi-generator-cli==7.23.0'

/** Gets OpenAPI Generator from Maven's repository, into the folder above those of the clients. */
export const download: Step = [
  'mvn',
  '-q',
  'dependency:copy',
  `-Dartifact=${openApiGenerator}`,
  '-DoutputDirectory=.',
]

function generate(document: string, generator: string, folder: string, properties: string): Step {
  const jar = `../${openApiGenerator.split(':').slice(1).join('-')}.jar`
  const options = ['-g', generator, '-i', document, '-o', folder]
  return ['java', '-jar', jar, 'generate', ...options, '--additional-properties', properties]
}

const venv: Step = ['python3', '-m', 'venv', 'venv']
const compileTypeScript: Step = [
  ...(['node_modules/.bin/tsc', '--skipLibCheck', '--target', 'es2023'] as const),
  ...['--module', 'nodenext', '--outDir', 'out', '--rootDir', '.', 'main.ts'],
]
const execPlugin = 'org.codehaus.mojo:exec-maven-plugin:3.6.2:java'

/** Not made by a generator: our own, from the same document. */
const collections: Step = [
  process.execPath,
  join(import.meta.dirname, '../scripts/write-collections.ts'),
  'collections',
]

export const generators: readonly Generator[] = [
  {
    name: 'python',
    needs: ['mvn', 'java', 'python3'],
    make: (document) => [
      generate(document, 'python', 'client', 'packageName=fleet'),
      venv,
      ['venv/bin/pip', 'install', '-q', './client'],
    ],
    run: ['venv/bin/python', 'main.py'],
  },
  {
    name: 'java',
    needs: ['mvn', 'java'],
    make: (document) => [
      generate(
        document,
        'java',
        'client',
        'apiPackage=fleet.api,modelPackage=fleet.model,invokerPackage=fleet.invoker,disallowAdditionalPropertiesIfNotPresent=false',
      ),
      ['cp', 'Main.java', 'client/src/main/java/Main.java'],
      ['mvn', '-q', '-f', 'client', 'compile', '-Dmaven.javadoc.skip'],
    ],
    run: ['mvn', '-q', '-f', 'client', execPlugin, '-Dexec.mainClass=Main'],
  },
  {
    name: 'go',
    needs: ['mvn', 'java', 'go'],
    make: (document) => [
      generate(document, 'go', 'fleet', 'packageName=fleet,withGoMod=false,enumClassPrefix=true'),
      ['rm', '-rf', 'fleet/test'],
      ['go', 'mod', 'init', 'try'],
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'try'],
    ],
    run: ['./try'],
  },
  {
    name: 'typescript-fetch',
    needs: ['mvn', 'java', 'npm'],
    make: (document) => [
      generate(
        document,
        'typescript-fetch',
        'client',
        'importFileExtension=.js,withoutRuntimeChecks=true,modelPropertyNaming=original',
      ),
      ['npm', 'install', '--silent', 'typescript@5.9.3', '@types/node@24'],
      compileTypeScript,
    ],
    run: ['node', 'out/main.js'],
  },
  {
    name: 'csharp',
    needs: ['mvn', 'java', 'dotnet'],
    make: (document) => [
      generate(document, 'csharp', 'client', 'packageName=Fleet'),
      ['dotnet', 'build', 'client'],
    ],
  },
  {
    name: 'php',
    needs: ['java', 'python3', 'php'],
    // PyPI has OpenAPI Generator too, so no Maven is needed; Guzzle is Debian's.
    make: (document) => [
      ['python3', '-m', 'pip', 'download', '-q', '--no-deps', '-d', '.', fromPyPi],
      ['sh', '-c', 'python3 -m zipfile -e openapi_generator_cli-*.whl generator'],
      [
        ...(['java', '-jar', 'generator/openapi_generator_cli/openapi-generator.jar'] as const),
        ...['generate', '-g', 'php', '-i', document, '-o', 'client'],
        ...['--additional-properties', 'invokerPackage=Fleet'],
      ],
    ],
    run: ['php', 'main.php'],
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    make: (document) => [
      ['go', 'mod', 'init', 'try'],
      ['mkdir', 'fleet'],
      [
        ...([
          'go',
          'run',
          'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.0',
        ] as const),
        ...['-package', 'fleet', '-generate', 'types,client', '-o', 'fleet/fleet.go', document],
      ],
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'try'],
    ],
    run: ['./try'],
  },
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    make: (document) => [
      venv,
      ['venv/bin/pip', 'install', '-q', 'openapi-python-client==0.29.1', 'ruff'],
      [
        ...(['venv/bin/openapi-python-client', 'generate', '--path', document] as const),
        ...['--config', 'config.yaml', '--output-path', 'client', '--fail-on-warning'],
      ],
      ['venv/bin/pip', 'install', '-q', './client'],
    ],
    run: ['venv/bin/python', 'main.py'],
  },
  {
    name: 'openapi-typescript',
    needs: ['npm'],
    make: (document) => [
      [
        ...(['npm', 'install', '--silent', 'typescript@5.9.3', '@types/node@24'] as const),
        ...['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
      ],
      ['npm', 'pkg', 'set', 'type=module'],
      ['node_modules/.bin/openapi-typescript', document, '-o', 'fleet.ts'],
      [
        ...compileTypeScript,
        '--strict',
        '--allowImportingTsExtensions',
        '--rewriteRelativeImportExtensions',
      ],
    ],
    run: ['node', 'out/main.js'],
  },
  {
    name: 'postman',
    needs: ['npm'],
    make: () => [collections, ['npm', 'install', '--silent', '--ignore-scripts', 'newman@6.2.2']],
    run: ['node', 'main.mjs'],
  },
  {
    name: 'bruno',
    needs: ['npm'],
    make: () => [
      collections,
      ['npm', 'install', '--silent', '--ignore-scripts', '@usebruno/cli@4.1.0'],
    ],
    run: ['node', 'main.mjs'],
  },
]
