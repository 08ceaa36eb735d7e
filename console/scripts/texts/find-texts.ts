import { parseSync } from 'vite'

/** A text in the source, as an argument of a function of `src/languages/text.ts`. */
export interface FoundText {
  text: string
  /** Where the argument stands in the source. */
  start: number
  end: number
  /** Where the call ends, and how many arguments it has. */
  callEnd: number
  arguments: number
  /** What it is: `label`, `Button`, `heading`; empty where that is not seen. */
  role: string
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** All calls of `t` and `rich` in a file; an error where the text is not written there. */
export function findTexts(code: string, name: string): FoundText[] {
  const { program, errors } = parseSync(name, code)
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`)
  const found: FoundText[] = []
  visit(program as unknown as Node, '', (call, role) => {
    const all = call.arguments as Node[]
    for (const argument of all.slice(0, 1)) {
      const text = textOf(argument)
      if (text === undefined) {
        // What the build has compiled already is no text.
        if (argument.type === 'ArrayExpression') continue
        throw new Error(`${name}: ${code.slice(call.start, call.end)} needs the text itself.`)
      }
      const { start, end } = argument
      found.push({ text, start, end, callEnd: call.end, arguments: all.length, role })
    }
  })
  return found
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral' || (node.expressions as unknown[]).length > 0)
    return undefined
  const [quasi] = node.quasis as { value: { cooked: string } }[]
  return quasi?.value.cooked
}

function visit(node: Node, role: string, take: (call: Node, role: string) => void): void {
  const callee = node.callee
  if (node.type === 'CallExpression' && isNode(callee) && callee.type === 'Identifier') {
    if (['t', 'rich'].includes(String(callee.name))) take(node, role)
  }
  const inner = roleOf(node) ?? role
  for (const value of Object.values(node)) {
    if (isNode(value)) visit(value, inner, take)
    else if (Array.isArray(value)) for (const one of value) if (isNode(one)) visit(one, inner, take)
  }
}

/** "label" of an attribute or property, "Button" of an element. */
function roleOf(node: Node): string | undefined {
  const nameIn = (value: unknown) =>
    isNode(value) && typeof value.name === 'string' ? value.name : undefined
  if (node.type === 'JSXAttribute') return nameIn(node.name)
  if (node.type === 'JSXElement') return nameIn((node.openingElement as Node).name)
  if (node.type === 'Property') return nameIn(node.key)
  return undefined
}
