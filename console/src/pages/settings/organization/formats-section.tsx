import type { SomeFormats } from '../../../../../server/src/lora/formats.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay } from '../../../session/session.ts'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { FormatFields, formatRows } from '../format-fields.tsx'

/** How members read numbers and times, unless they choose for themselves. */
export function FormatsSection() {
  const { data, error, refetch } = useApi('GET /organization/formats', {})
  const mayManage = useMay('manage_account')
  const change = useAction('PATCH /organization/formats', {
    invalidates: ['GET /organization/formats', 'GET /auth/session'],
    onSuccess: () => tellSuccess(t('The formats of the organization are changed.')),
  })
  return (
    <Card
      title={t('Units and formats')}
      note={t('The default for every member. Each can choose other ones in their profile.')}
    >
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={2} />}
      {change.error && <ErrorNotice error={change.error} />}
      {data && mayManage && (
        <FormatFields
          chosen={{ ...data.data, ...(change.isPending && change.variables.body) }}
          onChange={(changes) => change.mutate({ body: changes as SomeFormats })}
        />
      )}
      {data && !mayManage && <Facts rows={formatRows(data.data)} />}
    </Card>
  )
}
