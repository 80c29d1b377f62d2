package dev.spindle.plot;

/** What every page has in common: one file, no scripts, nothing loaded from elsewhere. */
public final class HtmlPage {
    /** How every page ends. */
    public static final String END = "</body></html>\n";

    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Spindle: @TITLE@</title>
            <style>
            body { font: 15px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
            table { border-collapse: collapse; width: 100% }
            td, th { padding: .2em .7em; text-align: right; border-bottom: 1px solid #ddd }
            td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left }
            tr.fails td { background: #fdd }
            svg { width: 100%; height: auto; margin: 1.5em 0 }
            pre { overflow-x: auto }
            </style></head><body>
            <h1>@TITLE@</h1>
            """;

    private HtmlPage() {}

    /** How every page begins. */
    public static String head(String title) {
        return HEAD.replace("@TITLE@", escaped(title));
    }

    public static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
