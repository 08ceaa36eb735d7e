import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { Schemas } from '../../../api/generated.ts'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import classes from '../device-types.module.css'
import { Differences } from '../editor/differences.tsx'
import { ReplayedUplinks } from '../editor/replayed-uplinks.tsx'

type Update = Schemas['CatalogueUpdate']

const last = 20

interface UpdateDialogProps {
  type: Schemas['CustomDeviceType']
  onClose: () => void
}

/** What a newer revision of the model would change, and a button that takes it. */
export function UpdateDialog({ type, onClose }: UpdateDialogProps) {
  const path = { id: String(type.id) }
  const parts = { path, query: { last } }
  // Asked for again each time: the catalogue, the codec and the uplinks may have changed.
  const update = useQuery({
    queryKey: ['GET /device-types/{id}/catalogue-update', parts],
    queryFn: ({ signal }) => call('GET /device-types/{id}/catalogue-update', parts, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const take = useAction('POST /device-types/{id}/catalogue-update', {
    invalidates: typeReads,
  })
  const send = async () => {
    await take.mutateAsync({ path, body: { revision: update.data?.data.newest_revision ?? null } })
    tellSuccess(t('The type is updated. Frames that come from now on are read with it.'))
    onClose()
  }
  const found = update.data?.data
  return (
    <Modal opened onClose={onClose} size="lg" title={t('Update from the catalogue')}>
      {update.isPending && <LoadingLines count={3} />}
      {update.error && <ErrorNotice error={update.error} retry={() => void update.refetch()} />}
      {found && !found.is_available && <NoUpdate update={found} onClose={onClose} />}
      {found?.is_available && (
        <Form
          action={t('Take the update')}
          needs="manage_devices"
          isDangerous={found.is_changed_here}
          onSubmit={send}
          onClose={onClose}
        >
          <Changes update={found} />
        </Form>
      )}
    </Modal>
  )
}

const typeReads = ['GET /catalogue', 'GET /catalogue/{id}', 'GET /device-types/{id}'] as const

function NoUpdate({ update, onClose }: { update: Update; onClose: () => void }) {
  return (
    <Stack>
      <Text size="sm" role="status">
        {update.is_missing
          ? t('The model is in no catalogue any more. The type works as before.')
          : t('The catalogue has no other revision of this model.')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('Close')}
        </Button>
      </Group>
    </Stack>
  )
}

function Changes({ update }: { update: Update }) {
  const { changes, example_results: results, replay } = update
  return (
    <>
      {update.is_changed_here && (
        <Notice kind="warn" title={t('Your own changes would be lost')}>
          {t('You have changed the codec since it was taken. The update replaces it.')}
        </Notice>
      )}
      <Text size="sm">
        {t(
          'The codec and its test cases become those of the catalogue. The name and what you have said of the values stay, and so does what is stored.',
        )}
      </Text>
      <Stack gap="xs" component="section">
        <Title order={3} size="h5">
          {t('Test cases')}
        </Title>
        <Results results={results} />
      </Stack>
      {changes.length > 0 && (
        <Stack gap="xs" component="section">
          <Title order={3} size="h5">
            {t('What the catalogue says')}
          </Title>
          <Differences
            differences={changes}
            caption={t('What the catalogue says')}
            names={[t('Until now'), t('After the update')]}
          />
        </Stack>
      )}
      {replay && (
        <Stack gap="xs" component="section">
          <Title order={3} size="h5">
            {t('Latest uplinks')}
          </Title>
          <ReplayedUplinks replay={replay} />
        </Stack>
      )}
    </>
  )
}

function Results({ results }: { results: Update['example_results'] }) {
  const failed = results.filter(({ passed }) => !passed)
  const count = results.length
  if (count === 0) return <Text size="sm">{t('The codec has no test cases.')}</Text>
  return (
    <>
      <State kind={failed.length === 0 ? 'good' : 'bad'}>
        {t('{passed} of {count} passed.', { passed: count - failed.length, count })}
      </State>
      <ol className={classes.plain}>
        {failed.map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids, and stay in their order
          <li key={index}>
            <Text size="sm" fw={500}>
              {result.description ?? t('Case {number}', { number: index + 1 })}
            </Text>
            {result.error !== null ? (
              <Text size="sm" c="var(--state-bad)">
                {result.error}
              </Text>
            ) : (
              <Differences
                differences={result.differences}
                caption={t('What differs')}
                names={[t('Expected'), t('The codec gives')]}
              />
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
