import { Paper, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { Link } from '../../../ui/link.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { ModelRow, ModelWords } from './model-row.tsx'
import type { Model, RadioProfile } from './models.ts'
import classes from './register.module.css'
import { TakeModelDialog } from './take-model-dialog.tsx'

const mostShown = 8

interface ModelChoiceProps {
  /** The chosen type, as text. */
  deviceType: string | null
  /** ProfileID of the code that was scanned: 8 digits. */
  profile: string | undefined
  /** With how devices of the model speak, where the catalogue says that. */
  onChoose: (deviceType: number, radio: RadioProfile | null) => void
}

/** The type of a device by its brand and model. A model without a type becomes one of the user's own. */
export function ModelChoice({ deviceType, profile, onChoose }: ModelChoiceProps) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<{ model: Model; type: number }>()
  const [taking, setTaking] = useState<Model>()
  const settle = (model: Model, type: number, radio: RadioProfile | null) => {
    setText('')
    setTaking(undefined)
    setChosen({ model, type })
    onChoose(type, radio)
  }
  const read = useAction('GET /device-types/{id}')
  const shown = useRef(deviceType)
  useEffect(() => {
    shown.current = deviceType
  }, [deviceType])
  const choose = (model: Model) => {
    const { device_type: type, source } = model
    if (type === null) setTaking(model)
    else if (source.kind === 'built_in') settle(model, type, null)
    else {
      const onSuccess = ({ data }: { data: Schemas['CustomDeviceType'] }) => {
        // Another type was chosen meanwhile.
        if (shown.current === deviceType) settle(model, type, data.catalogue?.profile ?? null)
      }
      read.mutate({ path: { id: String(type) } }, { onSuccess })
    }
  }
  const isChosen = ({ device_type: type }: Model) => type !== null && String(type) === deviceType
  const rows = { isChosen, onChoose: choose }
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('Brand and model')}>
      <Stack gap="xs">
        <SearchField
          label={t('Or choose brand and model')}
          placeholder={t('Any part of a brand, a model or a part number')}
          value={text}
          onSearch={setText}
          // Enter would send the form around it.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        {text === '' && profile !== undefined && (
          <ModelOfCode key={profile} profile={profile} isOpen={deviceType === null} {...rows} />
        )}
        {text !== '' && <FoundModels text={text} {...rows} />}
        {read.error && <ErrorNotice error={read.error} />}
        <div role="status">
          {text === '' && chosen && String(chosen.type) === deviceType && (
            <ModelWords model={chosen.model} />
          )}
        </div>
      </Stack>
      {taking && (
        <TakeModelDialog
          model={taking}
          profile={profile}
          onTake={(type) => settle(taking, type.id, type.catalogue?.profile ?? null)}
          onClose={() => setTaking(undefined)}
        />
      )}
    </Paper>
  )
}

interface RowsProps {
  isChosen: (model: Model) => boolean
  onChoose: (model: Model) => void
}

function FoundModels({ text, ...rows }: RowsProps & { text: string }) {
  const query = { q: text, limit: mostShown }
  const found = useApi('GET /device-catalogue', { query }, { keepsPrevious: true })
  const { data: models, total } = found.data ?? { data: [], total: 0 }
  if (found.error) return <ErrorNotice error={found.error} retry={() => void found.refetch()} />
  if (found.isPending) return <LoadingLines count={3} />
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {total === 0
          ? t('No model has this in its name.')
          : total > models.length
            ? t('{count} of {total} models: type more of the name.', {
                count: models.length,
                total,
              })
            : t('{total, plural, one {# model} other {# models}}', { total })}
      </Text>
      <Models models={models} {...rows} />
      <Text size="xs" c="dimmed">
        {rich('Models come from <link>the catalogues</link> of your organization.', {
          link: (words) => (
            <Link inherit underline="always" to="/device-types/catalogues">
              {words}
            </Link>
          ),
        })}
      </Text>
    </>
  )
}

interface ModelOfCodeProps extends RowsProps {
  profile: string
  /** No type is chosen yet. */
  isOpen: boolean
}

/** The models whose codes have this profile. The only one is chosen, unless a type is. */
function ModelOfCode({ profile, isOpen, ...rows }: ModelOfCodeProps) {
  const found = useApi('GET /device-catalogue', { query: { profile, limit: mostShown } })
  const models = found.data?.data ?? []
  const [only] = models.length === 1 ? models : []
  const preselect = useEffectEvent((model: Model) => {
    if (isOpen && model.device_type !== null) rows.onChoose(model)
  })
  useEffect(() => {
    if (only) preselect(only)
  }, [only])
  if (models.length === 0 || models.some(rows.isChosen)) return null
  return (
    <>
      <Text size="sm" role="status">
        {t('By the QR code it is:')}
      </Text>
      <Models models={models} {...rows} />
    </>
  )
}

function Models({ models, isChosen, onChoose }: RowsProps & { models: readonly Model[] }) {
  return (
    <ul className={classes.models} aria-label={t('Models')}>
      {models.map((model) => (
        <li key={model.id}>
          <ModelRow model={model} isChosen={isChosen(model)} onChoose={() => onChoose(model)} />
        </li>
      ))}
    </ul>
  )
}
