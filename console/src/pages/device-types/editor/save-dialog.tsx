import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { type Draft, toBody } from './draft.ts'
import { ReplayedUplinks } from './replayed-uplinks.tsx'

const last = 50

interface SaveDialogProps {
  draft: Draft
  typeId: number
  onSave: () => Promise<unknown>
  onClose: () => void
}

/** Shows what a new codec would change in the latest uplinks, before it is saved. */
export function SaveDialog({ draft, typeId, onSave, onClose }: SaveDialogProps) {
  const { payload_format, codec, examples } = toBody(draft)
  const body = { payload_format, codec, examples, last, device_type: typeId }
  const tried = useQuery({
    queryKey: ['POST /device-types/try', body],
    queryFn: ({ signal }) => call('POST /device-types/try', { body }, { signal }),
    gcTime: 0,
    retry: false,
  })
  const save = async () => {
    await onSave()
    onClose()
  }
  const failed = tried.data?.data.example_results.filter(({ passed }) => !passed).length ?? 0
  return (
    <FormDialog
      title={t('Review the changes')}
      size="lg"
      action={t('Save')}
      leave={t('Back to the editor')}
      blockedBy={tried.isPending ? t('The changes are being worked out.') : undefined}
      onSubmit={save}
      onClose={onClose}
    >
      <Text size="sm">
        {t(
          'What is stored stays as it is. Frames that come after the save are read with the new codec. This is how it reads the latest {last} uplinks of this type:',
          { last },
        )}
      </Text>
      {tried.isPending && <LoadingLines count={3} />}
      {tried.error && <ErrorNotice error={tried.error} />}
      {tried.data?.data.replay && <ReplayedUplinks replay={tried.data.data.replay} />}
      {failed > 0 && (
        <Text size="sm" c="var(--state-bad)">
          {t('{failed} You can still save.', {
            failed: failed === 1 ? '1 case fails.' : t('{failed} cases fail.', { failed }),
          })}
        </Text>
      )}
    </FormDialog>
  )
}
