// Short enough to stand on a button.
import type { Language } from './languages.ts'

export const buttonLabels: Record<Language, { person: string; contact: string }> = {
  en: { person: 'Talk to a person', contact: 'Leave contact details' },
  de: { person: 'Mit einem Menschen sprechen', contact: 'Kontaktdaten hinterlassen' },
  fr: { person: 'Parler à quelqu’un', contact: 'Laisser mes coordonnées' },
  es: { person: 'Hablar con una persona', contact: 'Dejar mis datos' },
  it: { person: 'Parla con una persona', contact: 'Lascia i tuoi contatti' },
  pt: { person: 'Falar com uma pessoa', contact: 'Deixar contacto' },
  nl: { person: 'Iemand spreken', contact: 'Gegevens achterlaten' },
  pl: { person: 'Porozmawiaj z człowiekiem', contact: 'Zostaw kontakt' },
  sv: { person: 'Prata med en person', contact: 'Lämna kontaktuppgifter' },
  da: { person: 'Tal med et menneske', contact: 'Efterlad kontaktoplysninger' },
  tr: { person: 'Bir kişiyle görüş', contact: 'İletişim bilgisi bırak' },
  ar: { person: 'التحدث إلى شخص', contact: 'ترك بيانات التواصل' },
  ru: { person: 'Поговорить с человеком', contact: 'Оставить контакты' },
  zh: { person: '联系人工客服', contact: '留下联系方式' },
  ja: { person: '担当者と話す', contact: '連絡先を残す' },
}
