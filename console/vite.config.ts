import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFile } from './scripts/compress-file.ts'
import { compileTexts } from './scripts/texts/compile-texts.ts'

const consoleDirectory = import.meta.dirname
const early = 'src/session/ask-early.ts'
const main = 'src/main.tsx'
const assets = join(consoleDirectory, 'dist/assets')

/** The service to which the development server passes on what is not the console's. */
const service = process.env.CONSOLE_SERVICE ?? 'http://127.0.0.1:8080'

/**
 * What every page needs, in one file: as many small files, their headers alone would be a tenth of
 * the first load, and a slow computer would take longer for them than for their content. The
 * overview, with which most visits begin, is in it.
 */
const base =
  /node_modules\/(react|react-dom|scheduler|get-nonce|@tanstack\/(?!(?:react-)?virtual)[^/]+|@floating-ui|react-remove-scroll|@mantine\/(hooks|notifications|core\/esm\/(core|components\/(ActionIcon|Alert|Anchor|AppShell|Box|Burger|Button|CloseButton|FocusTrap|Group|Indicator|Input|InputBase|Kbd|Loader|Menu|Modal|ModalBase|NavLink|Notification|Overlay|Paper|Popover|Portal|ScrollArea|Skeleton|Stack|Text|Title|Tooltip|Transition|UnstyledButton))))\/|console\/src\/(main|api\/(?!error-words)|router|session\/session|shell\/shell|pages\/overview\/(?!group-readings)|condition\/conditions?\.|ui\/(card|font|global|group-names|mantine|print|reading|theme|page|notices|link|state|time|action-button|numbers|confirm))/

/** What chooses the language, and loads its texts before the code that has them. */
const start =
  /rolldown\/runtime|preload-helper|node_modules\/(intl-messageformat|@formatjs)\/|src\/lora\/languages|console\/src\/languages\/(?!..\/|language-select)/

/** Files of the first page, in any language. */
const first = /^(base|start|index|service|[a-z]{2})-[^.]+\.(js|css)$/

/** What lists and forms are made of, in one file for the same reason. */
const parts =
  /node_modules\/(@mantine|@tabler|@tanstack)\/|console\/src\/(ui|jobs|live|condition|downlinks|accounts|tags)\//

export default defineConfig({
  root: consoleDirectory,
  // The service may be reached below a path: addresses are relative to the file that names them.
  base: './',
  plugins: [react(), compileTexts(), askEarly(), loadMain(), bringFont(), compressAssets()],
  // The service replaces it in every answer (server/src/pages/console.ts).
  html: { cspNonce: '__NONCE__' },
  worker: { format: 'es', plugins: () => [compileTexts()] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', early].map((name) => join(consoleDirectory, name)),
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', test: start, priority: 2 },
            { name: 'base', test: base, priority: 1 },
            { name: 'list', test: /pages\/devices\/(empty|use-device-)/ },
            { name: 'parts', test: parts, minShareCount: 3 },
          ],
        },
      },
    },
    // The map's library alone has 1 MB; only pages with a map load it.
    chunkSizeWarningLimit: 1200,
  },
  server: {
    // The guides of the networks are the project's own documentation.
    fs: { allow: ['..'] },
    proxy: { '/v1': service, '/openapi.json': service, '/docs': service, '/guide': service },
  },
})

/**
 * Puts the script that asks for the session into the page, beside that of the console: Vite would
 * make one of them.
 */
function askEarly(): Plugin {
  return {
    name: 'ask-early',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const chunks = Object.values(bundle ?? {})
        const built = chunks.find(
          (chunk) => 'facadeModuleId' in chunk && chunk.facadeModuleId?.endsWith(early),
        )
        const src = built ? `./${built.fileName}` : `/${early}`
        const attrs = { type: 'module', async: true, fetchpriority: 'high', src }
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

/** Loads the console's code and styles beside the script that chooses the language and then runs it. */
function loadMain(): Plugin {
  return {
    name: 'load-main',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunkOf = (file: string) => {
          const chunk = bundle[file]
          return chunk?.type === 'chunk' ? chunk : undefined
        }
        const begin = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(main)),
        )
        if (!begin) return []
        const files = [begin.fileName, ...(chunkOf(begin.fileName)?.imports ?? [])]
        const styles = files.flatMap((file) => [
          ...(chunkOf(file)?.viteMetadata?.importedCss ?? []),
        ])
        const named = (file: string) => !html.includes(file)
        return [
          ...files.filter(named).map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
            injectTo: 'head' as const,
          })),
          ...styles.filter(named).map((file) => ({
            tag: 'link',
            attrs: { rel: 'stylesheet', crossorigin: true, href: `./${file}` },
            injectTo: 'head' as const,
          })),
        ]
      },
    },
  }
}

/** Lets the page ask for its typeface before the styles that name it are there, and adds its licence. */
function bringFont(): Plugin {
  const font = '@fontsource-variable/geist'
  return {
    name: 'bring-font',
    apply: 'build',
    async generateBundle() {
      const path = join(consoleDirectory, '../node_modules', font, 'LICENSE')
      const source = await readFile(path, 'utf8')
      this.emitFile({ type: 'asset', fileName: 'assets/geist-licence.txt', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const built = Object.keys(bundle ?? {}).find((name) => /geist-latin-wght/.test(name))
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', attrs: { ...attrs, href: `./${built}` }, injectTo: 'head' }]
      },
    },
  }
}

function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async closeBundle() {
      const names = await readdir(assets)
      const texts = names.filter((name) => /\.(js|mjs|css|svg|json|wasm)$/.test(name))
      await Promise.all(texts.map((name) => compressFile(join(assets, name), first.test(name))))
    },
  }
}
