import { Group, Text } from '@mantine/core'
import type { RequestParts } from '../../api/client.ts'
import { useAction } from '../../api/hooks.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'

type Body = RequestParts<'POST /alert-rules/preview'>['body']

/** How often the rule, as it is in the form, would have fired in the last week. */
export function RulePreview({ bodyOf }: { bodyOf: () => Body }) {
  const preview = useAction('POST /alert-rules/preview')
  const found = preview.data?.data
  return (
    <>
      <Group>
        <ActionButton
          needs="manage_devices"
          variant="default"
          size="compact-sm"
          loading={preview.isPending}
          onClick={() => preview.mutate({ body: bodyOf() })}
        >
          Check against the last week
        </ActionButton>
      </Group>
      {preview.error && <ErrorNotice error={preview.error} />}
      {found && !preview.isPending && (
        <Text size="sm" role="status">
          {found.alerts === 0
            ? `It would not have fired, by ${countOf(found.uplinks, 'message')} since `
            : `It would have fired ${countOf(found.alerts, 'time')} on ${countOf(found.devices, 'device')}, by ${countOf(found.uplinks, 'message')} since `}
          <Time value={found.from} exact />
          {found.last_at !== null && (
            <>
              , the last time <Time value={found.last_at} />
            </>
          )}
          .
        </Text>
      )}
    </>
  )
}
