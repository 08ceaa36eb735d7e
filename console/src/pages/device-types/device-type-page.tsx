import { Code, Stack, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useIsLimited, useMay } from '../../session/session.ts'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { OwnType } from './editor/own-type.tsx'
import { TypeOrigin } from './origin/type-origin.tsx'
import { ReadType } from './read-type.tsx'

/** One device type: what it sends and takes; an own one with its editor. */
export function DeviceTypePage() {
  const { id } = useParams({ from: '/shell/device-types/$id' })
  const type = useApi('GET /catalogue/{id}', { path: { id } }, { staleTime: 60_000 })
  const isLimited = useIsLimited()
  const mayEdit = useMay('manage_devices') && !isLimited
  const above = <Link to="/device-types">{t('Device types')}</Link>
  if (type.data) {
    const { data } = type.data
    if (data.is_own && mayEdit) return <OwnType key={id} id={id} above={above} />
    return (
      <ReadType above={above} type={data}>
        {data.is_own && !isLimited && <OwnParts id={id} />}
      </ReadType>
    )
  }
  return (
    <Page title={t('Device type')} above={above}>
      {type.error ? (
        <ErrorNotice error={type.error} retry={() => void type.refetch()} />
      ) : (
        <LoadingLines count={8} />
      )}
    </Page>
  )
}

/** Where an own type is from, and its codec, for whoever may not change it. */
function OwnParts({ id }: { id: string }) {
  const { data } = useApi('GET /device-types/{id}', { path: { id } })
  if (!data) return null
  const { codec } = data.data
  return (
    <>
      <TypeOrigin type={data.data} />
      {codec && (
        <Stack gap="xs" component="section">
          <Title order={2} size="h4">
            {t('Codec')}
          </Title>
          <Code block tabIndex={0}>
            {codec}
          </Code>
        </Stack>
      )}
    </>
  )
}
