import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { basePath } from '../../api/client.ts'
import { rich, t } from '../../languages/text.ts'
import { useSession } from '../../session/session.ts'
import { Facts } from '../../ui/facts.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { toCurl } from './curl.ts'
import { type ApiDocument, type ApiOperation, useOpenApi } from './openapi.ts'
import { OperationItem } from './operation-item.tsx'
import { TokenBox } from './token-box.tsx'

const route = getRouteApi('/shell/api')

export function ApiPage() {
  const { data, error, isPending, refetch } = useOpenApi()
  const { organization } = useSession()
  const [token, setToken] = useState<string>()
  const base = `${location.origin}${basePath}/v1`
  const toCommand = (operation: ApiOperation) =>
    toCurl(operation, { base, organizationId: organization.id, token })
  return (
    <Page
      title="API"
      guide="api.html"
      description={t('Programs can do everything that this console does.')}
      actions={
        <Group gap="md">
          <Anchor href={`${basePath}/docs`} fz="sm">
            {t('Full reference')}
          </Anchor>
          <Anchor href={`${basePath}/openapi.json`} fz="sm">
            {t('OpenAPI document')}
          </Anchor>
        </Group>
      }
    >
      <Facts
        rows={[
          [t('Base address'), base],
          [
            t('Organization'),
            <span key="organization">
              {rich('{name}, header {code}', {
                name: organization.name,
                code: <code>{t('Organization: {id}', { id: organization.id })}</code>,
              })}
            </span>,
          ],
        ]}
      />
      <TokenBox token={token} onChange={setToken} />
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {isPending && <LoadingLines count={12} />}
      {data && <Operations document={data} toCommand={toCommand} />}
    </Page>
  )
}

interface OperationsProps {
  document: ApiDocument
  toCommand: (operation: ApiOperation) => string
}

function Operations({ document, toCommand }: OperationsProps) {
  const { search = '', open } = route.useSearch()
  const navigate = route.useNavigate()
  const toggle = ({ id }: ApiOperation) =>
    void navigate({
      search: (now) => ({ ...now, open: open === id ? undefined : id }),
      replace: true,
      resetScroll: false,
    })
  const found = document.operations.filter((operation) => isFound(operation, search))
  return (
    <Stack>
      <SearchField
        aria-label={t('Find an operation')}
        placeholder={t('Find an operation: quarantine, POST /devices, ...')}
        value={search}
        onSearch={(text) =>
          void navigate({ search: (now) => ({ ...now, search: text || undefined }), replace: true })
        }
      />
      <Text size="sm" c="dimmed" role="status">
        {t('{count} of {count2} operations', {
          count: found.length,
          count2: document.operations.length,
        })}
      </Text>
      {found.length === 0 && (
        <EmptyState title={t('No matching operations')}>{t('Try another word.')}</EmptyState>
      )}
      {document.tags.map((tag) => {
        const operations = found.filter((operation) => operation.tag === tag)
        if (operations.length === 0) return null
        return (
          <section key={tag} aria-label={tag}>
            <Title order={2} size="h4" mb={4}>
              {tag}
            </Title>
            {operations.map((operation) => (
              <OperationItem
                key={operation.id}
                operation={operation}
                isOpen={open === operation.id}
                onToggle={() => toggle(operation)}
                toCommand={toCommand}
              />
            ))}
          </section>
        )
      })}
    </Stack>
  )
}

/** Whether each word is in the method, the path or the summary. */
function isFound({ id, summary, tag }: ApiOperation, search: string): boolean {
  const text = `${id} ${summary} ${tag}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
