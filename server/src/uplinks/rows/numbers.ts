import { mostLevels } from '../../sensors/own-measurements.ts'

/**
 * SQL: a subquery with the numbers of a decoded object and their keys. Where `isNested` holds, as for what
 * a codec of an organization gives, those within objects and lists are among them, named by their path,
 * such as `air.value` or `probes.0`.
 */
export function numbersOf(object: string, isNested: string): string {
  return `(
    select key, value::numeric from jsonb_each(${object})
    where not ${isNested} and jsonb_typeof(value) = 'number'
    union all (
      with recursive part (key, value, level) as (
        select key, value, 1 from jsonb_each(${object}) where ${isNested}
        union all
        select part.key || '.' || inner_part.key, inner_part.value, part.level + 1
        from part
        cross join lateral (
          select key, value
          from jsonb_each(case jsonb_typeof(part.value) when 'object' then part.value else '{}' end)
          union all
          select (place - 1)::text, value
          from jsonb_array_elements(
            case jsonb_typeof(part.value) when 'array' then part.value else '[]' end
          ) with ordinality as item (value, place)
        ) as inner_part
        where part.level < ${mostLevels}
      )
      select key, value::numeric from part where jsonb_typeof(value) = 'number'
    )
  )`
}
