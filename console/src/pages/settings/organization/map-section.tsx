import { Anchor, Checkbox, Code, List, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { useMay, useSession } from '../../../session/session.ts'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { type ErrorOf, Form } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'

type MapSettings = Answer<'GET /map-settings'>['data']

/** The organization of the operator: the map is the same for all that the service has. */
const operator = 1

const kinds = {
  outline: t('Outline of the world, without streets'),
  openstreetmap: 'OpenStreetMap',
  address: t('Tiles at an address'),
  file: t('A file on the server'),
} as const

/** Where the streets below the maps come from. */
export function MapSection() {
  const { organization } = useSession()
  const mayManage = useMay('manage_account')
  return organization.id === operator && mayManage ? <OwnMap /> : null
}

function OwnMap() {
  const { data, error, refetch } = useApi('GET /map-settings', {})
  return (
    <Card
      title={t('Maps')}
      note={t(
        'The streets below the maps, for everybody who uses this service. Only this organization chooses them.',
      )}
    >
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={3} />}
      {data?.data.is_fixed && <FixedMap settings={data.data} />}
      {data && !data.data.is_fixed && <MapForm settings={data.data} />}
    </Card>
  )
}

function FixedMap({ settings: { kind, url, file, attribution } }: { settings: MapSettings }) {
  return (
    <>
      <Facts
        rows={[
          [t('Map'), kinds[kind]],
          [t('From'), url ?? file ?? undefined],
          [t('Attribution'), attribution || undefined],
        ]}
      />
      <Text size="sm" c="dimmed">
        {rich('The setting {code} of the service says so.', {
          code: <Code>MAP_TILES</Code>,
        })}
      </Text>
    </>
  )
}

function MapForm({ settings }: { settings: MapSettings }) {
  const form = useForm({
    initialValues: {
      kind: settings.kind,
      url: settings.url ?? '',
      file: settings.file,
      attribution: settings.attribution,
      agreed: settings.kind === 'openstreetmap',
    },
  })
  const { kind, agreed } = form.values
  const change = useAction('PUT /map-settings', {})
  const save = async () => {
    const { url, file, attribution } = form.values
    const own = {
      outline: {},
      openstreetmap: { agreed },
      address: { url: url.trim(), attribution },
      file: { ...(file && { file }), attribution },
    }
    await change.mutateAsync({ body: { kind, ...own[kind] } })
    // The policy of the open page names the host that it was loaded with.
    location.reload()
  }
  return (
    <Form action={t('Save map')} onSubmit={save} noValidate>
      {(errorOf) => (
        <>
          <Radio.Group
            label={t('Streets from')}
            {...form.getInputProps('kind')}
            error={errorOf('kind')}
          >
            <Stack gap="xs" mt="xs">
              {Object.entries(kinds).map(([value, label]) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
          {kind === 'openstreetmap' && (
            <Agreement
              checked={agreed}
              onChange={(isAgreed) => form.setFieldValue('agreed', isAgreed)}
              error={errorOf('agreed')}
            />
          )}
          {kind === 'address' && (
            <TextInput
              label={t('Address')}
              description={t(
                "Of tiles, with '{'z'}', '{'x'}' and '{'y'}' (PNG, JPEG, WebP, or vector tiles as .pbf or .mvt), or of a .pmtiles file. Browsers ask that host, and no other: it must allow this console (CORS).",
              )}
              placeholder="https://tiles.example.com/{z}/{x}/{y}.png"
              required
              {...form.getInputProps('url')}
              error={errorOf('url')}
            />
          )}
          {kind === 'file' && <FileField form={form} files={settings.files} errorOf={errorOf} />}
          {(kind === 'address' || kind === 'file') && (
            <TextInput
              label={t('Attribution')}
              description={t(
                'Who made the map, as its licence asks. It is always shown on the map.',
              )}
              placeholder={t('© OpenStreetMap contributors')}
              {...form.getInputProps('attribution')}
              error={errorOf('attribution')}
            />
          )}
        </>
      )}
    </Form>
  )
}

interface AgreementProps {
  checked: boolean
  onChange: (isAgreed: boolean) => void
  error: string | undefined
}

/** What it means to use the server of OpenStreetMap, before anything is sent there. */
function Agreement({ checked, onChange, error }: AgreementProps) {
  return (
    <Stack gap="xs">
      <List size="sm" spacing={4}>
        <List.Item>
          {rich(
            'Whoever looks at a map asks {code}. It learns their IP address and browser, the address of this console, and which part of the world they look at, so roughly where your devices are. It learns no names and no readings.',
            { code: <Code>tile.openstreetmap.org</Code> },
          )}
        </List.Item>
        <List.Item>
          {t(
            'Volunteers run it, without any promise, for light use only. It may block heavy users. For many people, use tiles of your own.',
          )}
        </List.Item>
        <List.Item>
          {t(
            'Nobody may copy parts of the map in bulk, and “© OpenStreetMap contributors” stays in sight.',
          )}
        </List.Item>
      </List>
      <Checkbox
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        error={error}
        label={
          <>
            {t('I have read the ')}
            <Anchor
              inherit
              href="https://operations.osmfoundation.org/policies/tiles/"
              target="_blank"
              rel="noreferrer"
            >
              {t('tile usage policy')}
            </Anchor>{' '}
            {t('and agree for this service.')}
          </>
        }
      />
    </Stack>
  )
}

interface FileFieldProps {
  form: { getInputProps: (name: 'file') => object }
  files: readonly string[]
  errorOf: ErrorOf
}

function FileField({ form, files, errorOf }: FileFieldProps) {
  if (files.length === 0) {
    return (
      <Text size="sm">
        {rich(
          'There is none yet. Put a {code} file into the directory {code2} of the data directory of the service, then load this page again.',
          { code: <Code>.pmtiles</Code>, code2: <Code>maps</Code> },
        )}
      </Text>
    )
  }
  return (
    <Select
      label={t('File')}
      description={t(
        'In the directory maps of the data directory. The service itself serves it: no other host is asked.',
      )}
      data={files}
      required
      allowDeselect={false}
      {...form.getInputProps('file')}
      error={errorOf('file')}
    />
  )
}
