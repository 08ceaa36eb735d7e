import { Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Link } from '../../../ui/link.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { State } from '../../../ui/state.tsx'
import classes from '../device-types.module.css'
import type { TypeBody } from '../editor/draft.ts'
import type { FoundType, GivenFile } from './published-types.ts'

interface FoundTypesProps {
  files: readonly GivenFile[]
  found: readonly FoundType[]
}

/** The types that some files describe, each with a button that makes it. */
export function FoundTypes({ files, found }: FoundTypesProps) {
  if (files.length === 0) return null
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {t('Found')}
      </Title>
      <Text size="sm" c="dimmed" role="status">
        {t(
          '{count, plural, one {# type} other {# types}} in {count2, plural, one {# file} other {# files}}: ',
          { count: found.length, count2: files.length },
        )}
        {files.map(({ name }) => name).join(', ')}
      </Text>
      <ul className={classes.plain}>
        {found.map((one) => (
          <Card key={one.from} component="li">
            {one.type ? (
              <FoundCard from={one.from} type={one.type} />
            ) : (
              <>
                <Text size="sm" fw={500}>
                  {one.from}
                </Text>
                <State kind="warn">{t('Incomplete')}</State>
                <Text size="sm">{one.problem}</Text>
              </>
            )}
          </Card>
        ))}
      </ul>
    </Stack>
  )
}

function FoundCard({ from, type }: { from: string; type: TypeBody }) {
  const [made, setMade] = useState<Schemas['SavedDeviceType']>()
  const save = useAction('POST /device-types', {
    invalidates: ['GET /catalogue', 'GET /get-device-types', 'GET /device-types'],
    onSuccess: ({ data }) => setMade(data),
  })
  const examples = type.examples?.length ?? 0
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" fw={500}>
        {type.type_name}
      </Text>
      <Text size="xs" c="dimmed">
        {from}, {type.payload_format === 'ts013' ? t('codec') : 'CayenneLPP'},{' '}
        {t('{examples, plural, one {# example} other {# examples}}', { examples })}
      </Text>
      {made ? (
        <Made type={made} />
      ) : (
        <ActionButton
          size="xs"
          needs="manage_devices"
          loading={save.isPending}
          onClick={() => save.mutate({ body: type })}
        >
          {t('Import')}
        </ActionButton>
      )}
      {save.error && <ErrorNotice error={save.error} />}
    </Stack>
  )
}

function Made({ type }: { type: Schemas['SavedDeviceType'] }) {
  const passed = type.example_results.filter((result) => result.passed).length
  const count = type.example_results.length
  return (
    <>
      <State kind={passed === count ? 'good' : 'warn'}>
        {t('Imported, {passed} of {count} examples come out as published', { passed, count })}
      </State>
      <Link to="/device-types/$id" params={{ id: String(type.id) }}>
        {t('Open {fullname}', { fullname: type.full_name })}
      </Link>
    </>
  )
}
