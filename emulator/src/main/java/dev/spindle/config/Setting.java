package dev.spindle.config;

/**
 * One effective setting, for {@code spindle print-config}.
 *
 * @param key its full path; an element of a list has its index in brackets, and all its keys in one
 *     value
 * @param value rendered with its unit
 * @param origin {@code conf/drives/x.conf:7}, {@code --set}, {@code env var X} or {@code default}
 */
public record Setting(String key, String value, String origin) {
    boolean isElement() {
        return key.endsWith("]");
    }
}
