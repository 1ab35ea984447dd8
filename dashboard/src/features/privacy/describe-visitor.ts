import type { VisitorSummary } from '@docent/contract'

/** The most recognizable detail of a visitor. */
export function describeVisitor({ name, email, phone, user_id }: VisitorSummary, unnamed: string): string {
  return name ?? email ?? phone ?? user_id ?? unnamed
}
