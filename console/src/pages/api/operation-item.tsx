import { Stack, Text, UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import { t } from '../../languages/text.ts'
import { type Column, List } from '../../ui/list/list.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import classes from './api.module.css'
import { CopiedText } from './copied-text.tsx'
import type { ApiOperation } from './openapi.ts'

const Markdown = lazy(() =>
  import('../../ui/markdown.tsx').then((module) => ({ default: module.Markdown })),
)

interface OperationItemProps {
  operation: ApiOperation
  isOpen: boolean
  onToggle: () => void
  toCommand: (operation: ApiOperation) => string
}

/** A line of the reference; opened, what the operation takes, and an example that works. */
export function OperationItem({ operation, isOpen, onToggle, toCommand }: OperationItemProps) {
  const id = useId()
  const { method, path, summary } = operation
  return (
    <div className={classes.operation}>
      <UnstyledButton
        className={classes.line}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
      >
        <span className={classes.method}>{method}</span>
        <span className={classes.path}>{path}</span>
        <span className={classes.summary}>{summary}</span>
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.details}>
          <Details operation={operation} command={toCommand(operation)} />
        </div>
      )}
    </div>
  )
}

type Parameter = ApiOperation['parameters'][number]

const columns: readonly Column<Parameter>[] = [
  { title: t('Parameter'), cell: ({ name }) => <code>{name}</code> },
  {
    title: t('In'),
    cell: ({ in: place, required }) => (required ? place : t('{place}, optional', { place })),
  },
  { title: t('Values'), cell: (parameter) => valuesOf(parameter) },
  { title: t('What'), isExtra: true, cell: ({ description }) => description ?? '–' },
]

function Details({ operation, command }: { operation: ApiOperation; command: string }) {
  const { description, parameters, answer } = operation
  return (
    <Stack gap="sm">
      {description && (
        <Suspense fallback={<LoadingLines count={2} />}>
          <Markdown text={description} />
        </Suspense>
      )}
      {parameters.length > 0 && (
        <List
          caption={t('Parameters')}
          columns={columns}
          rows={parameters}
          keyOf={({ name, in: place }) => `${place} ${name}`}
        />
      )}
      <CopiedText label={t('request')} text={command} />
      {answer !== undefined && (
        <div>
          <Text size="xs" c="dimmed">
            {t('Answer')}
          </Text>
          <CopiedText label={t('answer')} text={JSON.stringify(answer, undefined, 2)} />
        </div>
      )}
    </Stack>
  )
}

function valuesOf({ schema, example }: Parameter): string {
  if (schema?.enum) return schema.enum.join(', ')
  if (schema?.default !== undefined)
    return t('{value} by default', { value: String(schema.default) })
  return example === undefined ? '–' : t('such as {example}', { example: String(example) })
}
