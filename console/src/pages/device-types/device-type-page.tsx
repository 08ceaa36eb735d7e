import { useParams } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { BuiltInType } from './built-in-type.tsx'
import { OwnType } from './editor/own-type.tsx'

/** One device type: what it sends and takes; an own one with its editor. */
export function DeviceTypePage() {
  const { id } = useParams({ from: '/shell/device-types/$id' })
  const type = useApi('GET /catalogue/{id}', { path: { id } }, { staleTime: 60_000 })
  const above = <Link to="/device-types">Device types</Link>
  if (type.data) {
    const { data } = type.data
    return data.is_own ? (
      <OwnType key={id} id={id} above={above} />
    ) : (
      <BuiltInType above={above} type={data} />
    )
  }
  return (
    <Page title="Device type" above={above}>
      {type.error ? (
        <ErrorNotice error={type.error} retry={() => void type.refetch()} />
      ) : (
        <LoadingLines count={8} />
      )}
    </Page>
  )
}
