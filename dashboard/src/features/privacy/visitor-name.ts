import type { VisitorSummary } from '@docent/contract'

/** What is known of somebody, the most telling first. */
export function visitorName({ name, email, phone, user_id }: VisitorSummary, unnamed: string): string {
  return name ?? email ?? phone ?? user_id ?? unnamed
}
