import { Button, FileButton, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { rich, t } from '../../../languages/text.ts'
import { Link } from '../../../ui/link.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { Page } from '../../../ui/page.tsx'
import classes from '../device-types.module.css'
import { FoundTypes } from './found-types.tsx'
import { baseName, type FoundType, findTypes, type GivenFile } from './published-types.ts'

const largestFile = 1024 * 1024

/** Types as makers publish them, from files that are dropped, chosen or pasted. */
export function ImportPage() {
  const [files, setFiles] = useState<readonly GivenFile[]>([])
  const [found, setFound] = useState<readonly FoundType[]>([])
  const [problem, setProblem] = useState<unknown>()
  const add = async (given: readonly GivenFile[]) => {
    const names = new Set(given.map(({ name }) => name))
    const all = [...files.filter(({ name }) => !names.has(name)), ...given]
    setProblem(undefined)
    setFiles(all)
    setFound(await findTypes(all))
  }
  const addFiles = (list: readonly File[]) => readFiles(list).then(add).catch(setProblem)
  return (
    <Page
      title={t('Import device types')}
      above={<Link to="/device-types">{t('Device types')}</Link>}
      description={t(
        'The files of one device as its maker publishes them, as for The Things Network, or a device profile of ChirpStack.',
      )}
    >
      <DropZone onFiles={addFiles} />
      <PasteField onPaste={(file) => void add([file]).catch(setProblem)} />
      {problem !== undefined && <ErrorNotice error={problem} />}
      <FoundTypes files={files} found={found} />
    </Page>
  )
}

async function readFiles(list: readonly File[]): Promise<GivenFile[]> {
  const tooLarge = list.find(({ size }) => size > largestFile)
  if (tooLarge)
    throw new Error(t('{name} is larger than 1 MB: no codec is.', { name: tooLarge.name }))
  return Promise.all(
    list.map(async (file) => ({ name: baseName(file.name), text: await file.text() })),
  )
}

function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => Promise<unknown> }) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void onFiles([...event.dataTransfer.files])
  }
  return (
    // Dropping is a shortcut of the button in it.
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconUpload size={28} aria-hidden />
      <Text size="sm">
        {rich(
          'Drop {codec} and the {script} file that it names here, and {device} for the name; or {profile} and its {script} file.',
          {
            codec: <code>device-codec.yaml</code>,
            script: <code>.js</code>,
            device: <code>device.yaml</code>,
            profile: <code>device.toml</code>,
          },
        )}
      </Text>
      <FileButton
        multiple
        accept=".yaml,.yml,.toml,.js,.json"
        onChange={(list) => void onFiles(list)}
      >
        {(props) => (
          <Button {...props} variant="default">
            {t('Choose files')}
          </Button>
        )}
      </FileButton>
    </div>
  )
}

function PasteField({ onPaste }: { onPaste: (file: GivenFile) => void }) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const isNamed = /\.(ya?ml|toml|js|json)$/.test(name)
  return (
    <details>
      <summary>{t('Paste a file instead')}</summary>
      <Stack gap="xs" pt="xs">
        <Title order={2} size="h5">
          {t('Paste a file')}
        </Title>
        <TextInput
          label={t('File name')}
          placeholder="device-codec.yaml"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={
            name === '' || isNamed ? undefined : t('It must end in .yaml, .toml, .js or .json.')
          }
        />
        <Textarea
          label={t('Content')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
        />
        <Group>
          <Button
            variant="default"
            disabled={!isNamed || text === ''}
            onClick={() => {
              onPaste({ name: baseName(name), text })
              setName('')
              setText('')
            }}
          >
            {t('Add the file')}
          </Button>
        </Group>
      </Stack>
    </details>
  )
}
