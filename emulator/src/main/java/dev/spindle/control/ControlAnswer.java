package dev.spindle.control;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A daemon's answer, or an object within it, read by the names of its fields. */
public record ControlAnswer(Map<String, Object> fields) {
    public boolean isOk() {
        return Boolean.TRUE.equals(fields.get("ok"));
    }

    public boolean has(String name) {
        return fields.containsKey(name);
    }

    /** Empty where there is no such field. */
    public String text(String name) {
        Object value = fields.get(name);
        return value == null ? "" : value.toString();
    }

    /** Zero where there is no such number. */
    public double number(String name) {
        return fields.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    public long whole(String name) {
        return fields.get(name) instanceof Number number ? number.longValue() : 0;
    }

    public boolean flag(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    /** Without fields where there is no such object. */
    public ControlAnswer object(String name) {
        return of(fields.get(name));
    }

    public List<ControlAnswer> objects(String name) {
        List<ControlAnswer> objects = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            list.forEach(element -> objects.add(of(element)));
        }
        return objects;
    }

    public List<String> texts(String name) {
        return fields.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static ControlAnswer of(@Nullable Object value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, element) -> fields.put(String.valueOf(key), element));
        }
        return new ControlAnswer(fields);
    }
}
