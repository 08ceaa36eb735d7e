import { Box, Code, Stack } from '@mantine/core'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { nameStatus, type Webhook, webhookReads } from './webhook-words.ts'

/** Sends a test event, and shows what the receiver said. */
export function TestSection({ webhook }: { webhook: Webhook }) {
  const test = useAction('POST /webhooks/{webhook_id}/test', { invalidates: webhookReads })
  const result = test.data?.data
  return (
    <Stack gap="xs" align="flex-start" maw={1000}>
      <ActionButton
        variant="default"
        needs="manage_account"
        loading={test.isPending}
        onClick={() => test.mutate({ path: { webhook_id: String(webhook.id) } })}
      >
        {t('Send a test event')}
      </ActionButton>
      {test.error && <ErrorNotice error={test.error} />}
      {result && !test.isPending && (
        <Box role="status" w="100%">
          <Notice
            kind={result.delivered ? 'good' : 'bad'}
            title={result.delivered ? t('Delivered') : t('Not delivered')}
          >
            {t('{webhook} after {durationms} ms', {
              webhook: nameStatus(webhook, result.status),
              durationms: result.duration_ms,
            })}
            {result.answer && (
              <Code block mt="xs">
                {result.answer}
              </Code>
            )}
          </Notice>
        </Box>
      )}
    </Stack>
  )
}
